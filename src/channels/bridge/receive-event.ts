/**
 * An event of a vendor → the gateway, and what came of it back to the person.
 *
 *   event ─▶ listened to? ─▶ the answer to a question of ours? ─▶ receive: stored ─▶ (acknowledge) ─▶ toast, text, question
 */
import type { ChannelEvent, ChannelIo, ChannelOutcome } from "../../plugins/sdk.ts";
import { createLanes, type Lanes } from "../../lane/lane.ts";
import type { SentAttachment } from "../../protocol/attachment.ts";
import type { Capabilities, VendorPort, VendorEvent } from "../port.ts";
import type { ChannelSettings } from "../protocol/settings.ts";
import { limitOf, textPages } from "../render/render-card.ts";
import { neutral } from "../render/neutral-text.ts";
import { ENGLISH } from "../texts/en.ts";
import type { AskedWords } from "./asked-words.ts";
import type { ChannelsHouse } from "./house.ts";
import { takeFiles } from "./incoming-files.ts";
import { createFloodLimit, isListenedTo } from "./listened-to.ts";
import { sendAnswer } from "./send-answer.ts";

export type ReceiveParts = {
  account: string;
  settings: Pick<ChannelSettings, "groups" | "pairing">;
  vendor: Pick<VendorPort, "send" | "toast" | "form" | "loadFile">;
  capabilities: Capabilities;
  io: Pick<ChannelIo, "receive" | "mayWrite" | "notes">;
  asked: AskedWords;
  clock: ChannelsHouse["clock"];
  report(error: unknown): void;
};

export type Receiving = {
  /** Resolves when the event is stored. */
  deliver(event: VendorEvent): Promise<void>;
  /** Resolves when nothing is being answered. */
  idle(): Promise<void>;
  /** The same, and what waits for the vendor waits no longer. */
  stop(): Promise<void>;
};

/** Events whose answers are remembered, so that one that comes twice is not answered twice. */
const ANSWERED_MAX = 1_000;

export function createReceiving(parts: ReceiveParts): Receiving {
  const { clock } = parts;
  const [answers, questions]: [Lanes, Lanes] = [createLanes(), createLanes()];
  const answered = new Set<string>();
  const flood = createFloodLimit();
  const stopping = new AbortController();
  const within = { ...parts, stopping: stopping.signal };

  function respond(event: VendorEvent, outcome: ChannelOutcome): void {
    if (answered.has(event.eventId)) return;
    answered.add(event.eventId);
    if (answered.size > ANSWERED_MAX) answered.delete([...answered][0] ?? "");
    if (isSilent(event, outcome)) return;
    const done = answers.run(event.conversation, () => answerOnce(event, outcome, within)).catch(parts.report);
    if (outcome.kind === "asks") void questions.run(event.conversation, () => done);
  }

  return {
    async deliver(event) {
      const { person, conversation } = event;
      if (!isListenedTo(event, parts.settings) || flood.isFlood(person.id, clock.now())) return;
      // what it replies to may be a question whose note is being written
      if (event.kind === "message" && event.replyTo !== undefined)
        await questions.run(conversation, async () => undefined);
      const outcome = await received(event, parts);
      if (isTurnedAway(event, outcome) && flood.turnedAway(person.id, clock.now()))
        parts.report(new Error(`${person.id} sends more than a person can; it is dropped`));
      respond(event, outcome);
    },
    idle: () => answers.idle(),
    async stop() {
      stopping.abort();
      await answers.idle();
    },
  };
}

/** With its files, where it has some: what is not taken of them is said, and then nothing of the message is. */
async function received(event: VendorEvent, parts: ReceiveParts): Promise<ChannelOutcome> {
  const { io, account } = parts;
  const files = event.kind === "message" ? (event.files ?? []) : [];
  if (files.length === 0 || !(await io.mayWrite(account, personIn(event.person))))
    return io.receive(await eventFor(event, [], parts));
  const taken = await takeFiles(files, parts);
  if ("why" in taken) return { kind: "reply", text: taken.why };
  const whole = await eventFor(event, taken.attachments, parts);
  return whole.kind === "message" ? io.receive(whole) : { kind: "reply", text: ENGLISH.filesNotTaken };
}

/** Somebody who asks to be paired is offered a code, each time another. */
const isTurnedAway = (event: VendorEvent, { kind }: ChannelOutcome): boolean =>
  kind === "dropped" || (kind === "reply" && event.kind === "message" && /^\/(?:pair|start)\b/i.test(event.text));

const NAME_CHARS_MAX = 256;
/** For the agent, which reads it: not the words of whoever sent it, and no command of theirs. */
const FORWARDED = "Forwarded message:\n";

/** As it can be stored: a vendor may pass half a character, or a name that never ends. */
const personIn = ({ id, assured, name }: VendorEvent["person"]): VendorEvent["person"] => ({
  id,
  assured,
  name: wellFormed(name.slice(0, NAME_CHARS_MAX)),
});

/** Half a character at the end is one that was cut. */
const wellFormed = (name: string): string => name.replace(/[\ud800-\udbff]$/, "").toWellFormed();

async function eventFor(
  event: VendorEvent,
  attachments: readonly SentAttachment[],
  { account, asked, settings }: ReceiveParts,
): Promise<ChannelEvent> {
  const { eventId, conversation, direct } = event;
  const person = personIn(event.person);
  const envelope = { account, conversation, eventId, person, direct: direct && settings.pairing };
  switch (event.kind) {
    case "receipt": {
      const { messageId, state, detail } = event;
      return { ...envelope, kind: "receipt", messageId, state, ...(detail === undefined ? {} : { detail }) };
    }
    case "click": {
      const { token, messageId, text } = event;
      const words = text === undefined ? {} : { text: text.toWellFormed() };
      return { ...envelope, kind: "click", token, messageId, ...words };
    }
    case "message": {
      const { replyTo } = event;
      const text = `${event.forwarded === true ? FORWARDED : ""}${event.text}`.toWellFormed();
      const words =
        replyTo === undefined
          ? undefined
          : await asked.answered({ conversation, messageId: replyTo, personId: person.id });
      if (words !== undefined && event.forwarded !== true && !text.startsWith("/"))
        return { ...envelope, kind: "click", token: words.token, messageId: words.messageId, text };
      return { ...envelope, kind: "message", text, ...(attachments.length === 0 ? {} : { attachments }) };
    }
  }
}

type Responding = ReceiveParts & { stopping: AbortSignal };

/** How long the same event may come again, to this gateway or to another one. */
const REPEATED_MS = 24 * 3_600_000;

/** Whoever notes it first answers: the vendor may have sent the event to another gateway too, or to the last process. */
async function answerOnce(event: VendorEvent, outcome: ChannelOutcome, parts: Responding): Promise<void> {
  const { io, account, clock } = parts;
  const note = { value: "", untilMs: clock.now() + REPEATED_MS };
  if (await io.notes.add(account, `answered:${event.eventId}`, note)) await answer(event, outcome, parts);
}

/** Nothing for somebody who may not: they learn not even that somebody listens. */
const isSilent = (event: VendorEvent, { kind }: ChannelOutcome): boolean =>
  kind === "dropped" ||
  kind === "message" ||
  kind === "recorded" ||
  (kind === "decision" && !(event.kind === "click" && event.handle !== undefined));

async function answer(event: VendorEvent, outcome: ChannelOutcome, parts: Responding): Promise<void> {
  switch (outcome.kind) {
    case "reply":
      return tell(event, outcome.text, parts);
    case "refused":
      return tell(event, outcome.refusal.message, parts);
    case "decision":
      return tell(event, ENGLISH.clickDone, parts);
    case "asks":
      return ask(event, outcome, parts);
    case "dropped":
    case "message":
    case "recorded":
      return undefined;
  }
}

/** In the channel's own short answer where it has one and the text fits; else as a message. */
async function tell(event: VendorEvent, text: string, parts: Responding): Promise<void> {
  const { vendor, capabilities, clock } = parts;
  const { toast } = capabilities;
  const handle = event.kind === "receipt" ? undefined : event.handle;
  if (toast !== false && handle !== undefined && vendor.toast !== undefined) {
    if (text.length <= toast.charsMax) return vendor.toast(handle, text);
    await vendor.toast(handle, `${text.slice(0, toast.charsMax - 1)}…`);
  }
  let part = 0;
  for (const body of textPages(text, capabilities, limitOf(capabilities))) {
    const key = `answer:${event.eventId}:${part++}:${clock.now()}`;
    await sendAnswer({ conversation: event.conversation, out: { kind: "text", body }, key }, parts);
  }
}

type Asks = Extract<ChannelOutcome, { kind: "asks" }>;

async function ask(event: VendorEvent, { label }: Asks, parts: Responding): Promise<void> {
  if (event.kind !== "click") return;
  const { vendor, capabilities, asked, clock } = parts;
  const { token, messageId, handle, conversation, person } = event;
  if (capabilities.form === "own" && vendor.form !== undefined && handle !== undefined)
    return vendor.form({ handle, title: label, label, token, messageId });
  const { format } = capabilities;
  const body = { format, text: neutral(`${label}\n${ENGLISH.clickAsks}`, format) };
  const question = { kind: "text", body, asksReply: true } as const;
  const sent = await sendAnswer({ conversation, out: question, key: `ask:${event.eventId}` }, parts);
  await asked.ask({ conversation, messageId: sent.messageId }, { token, messageId, personId: person.id }, clock.now());
  if (handle !== undefined) await vendor.toast?.(handle, ENGLISH.clickAsks);
}
