/** Items of a delivery → messages of the vendor, in order, with a receipt for each; the first that must wait ends it. */
import { type DeliveryItem, type DeliveryReceipt, type DeliveryResult, never, oneLine } from "../../plugins/sdk.ts";
import { z } from "zod";
import { type Card, withSections } from "../../protocol/card/card.ts";
import type { Json } from "../../protocol/json.ts";
import { CardSchema } from "../../protocol/card/card-schema.ts";
import { type Body, type Capabilities, type Out, SendError, type Sent, type VendorPort } from "../port.ts";
import { cardPages, limitOf, renderCard, textPages } from "../render/render-card.ts";
import { bold } from "../render/bold.ts";
import { neutral } from "../render/neutral-text.ts";
import { ENGLISH } from "../texts/en.ts";
import { cardButtons, cardCodes } from "./card-buttons.ts";
import type { PlanText } from "./house.ts";
import type { SendRate } from "./send-rate.ts";

export type DeliverParts = {
  vendor: Pick<VendorPort, "send">;
  capabilities: Capabilities;
  rate: SendRate;
  now(): number;
  plan(planId: string): Promise<PlanText | undefined>;
  link(item: DeliveryItem): string | undefined;
  /** How much of an item that takes several messages was sent by an earlier try of this process. */
  progress: Map<string, number>;
  /** A file that could not be sent: people still get the card. */
  report(error: unknown): void;
};

export type Leaving = { conversation: string; items: readonly DeliveryItem[]; signal: AbortSignal };

const Text = z.object({ text: z.string() });
const PROGRESS_MAX = 1_000;
const GIVEN_UP = Number.MAX_SAFE_INTEGER;
/** No vendor is waited for longer than this before it is asked again. */
const WAIT_MS_MAX = 3_600_000;

export async function deliverItems(
  { conversation, items, signal }: Leaving,
  parts: DeliverParts,
): Promise<DeliveryResult> {
  const receipts: DeliveryReceipt[] = [];
  for (const item of items) {
    const sending = { conversation, signal, parts };
    try {
      receipts.push({ key: item.key, ...(await delivered(item, sending)) });
      parts.progress.delete(item.key);
    } catch (error) {
      if (error instanceof SendError && error.retry === "never") {
        receipts.push({ key: item.key, state: "failed", detail: error.message });
        continue;
      }
      return { receipts, stopped: stoppedBy(error, parts) };
    }
  }
  return { receipts };
}

/** What is no SendError is a failure in between: nobody knows what was sent. */
function stoppedBy(error: unknown, { rate, now }: DeliverParts): NonNullable<DeliveryResult["stopped"]> {
  if (!(error instanceof SendError))
    return { why: error instanceof Error ? error.message : String(error), maybeSent: true };
  const { message: why, maybeSent } = error;
  const afterMs = waitIn(error.afterMs);
  if (afterMs === undefined) return { why, maybeSent };
  if (!(error instanceof TooFast)) rate.hold(now() + afterMs);
  return { why, maybeSent, retryAfterMs: afterMs };
}

/** A vendor's wait that is no time is none, and one without end would silence the account. */
const waitIn = (ms: number | undefined): number | undefined =>
  ms === undefined || !Number.isFinite(ms) ? undefined : Math.min(Math.max(ms, 0), WAIT_MS_MAX);

/** Our own limit, not the vendor's: nothing was sent. */
class TooFast extends SendError {}

type Sending = { conversation: string; signal: AbortSignal; parts: DeliverParts };
type Receipt = Omit<DeliveryReceipt, "key">;

async function delivered(item: DeliveryItem, sending: Sending): Promise<Receipt> {
  if (item.kind === "text") return sentText(item, sending);
  switch (item.op) {
    case "send":
      return sentCard(item, sending);
    case "edit":
      return editedCard(item, sending);
    case "close":
      return closedCard(item, sending);
    default:
      return never(item);
  }
}

/** `part` numbers the messages that one item takes. */
async function sendOne(out: Out, { key, part = 0 }: { key: string; part?: number }, sending: Sending): Promise<Sent> {
  const { conversation, signal, parts } = sending;
  // an edit is no new message, and what was decided must be seen at once
  const { waitMs } = out.kind === "edit" ? { waitMs: 0 } : parts.rate.take(conversation, parts.now());
  if (waitMs > 0) throw new TooFast("more would be sent than the vendor allows", { retry: "later", afterMs: waitMs });
  return parts.vendor.send(conversation, out, { key: part === 0 ? key : `${key}#${part}`, signal });
}

/** All of them, from the first that an earlier try did not send. */
async function sendAll(outs: readonly Out[], key: string, sending: Sending): Promise<Sent | undefined> {
  const { progress } = sending.parts;
  let last: Sent | undefined;
  for (let part = progress.get(key) ?? 0; part < outs.length; part += 1) {
    const out = outs[part];
    if (out === undefined) break;
    last = await sendOne(out, { key, part }, sending);
    progress.set(key, part + 1);
    if (progress.size > PROGRESS_MAX) progress.delete([...progress.keys()][0] ?? "");
  }
  return last;
}

async function sentText(item: Extract<DeliveryItem, { kind: "text" }>, sending: Sending): Promise<Receipt> {
  const { capabilities } = sending.parts;
  const { data } = Text.safeParse(item.payload);
  if (data === undefined) throw new SendError("it holds no text", { retry: "never" });
  const repeated = item.maybeSent && !capabilities.idempotentSend ? `${ENGLISH.cardMaybeRepeated}\n` : "";
  const pages = textPages(`${repeated}${data.text}`, capabilities, limitOf(capabilities));
  const last = await sendAll(
    pages.map((body) => ({ kind: "text", body })),
    item.key,
    sending,
  );
  return { state: "sent", ...(last === undefined ? {} : { messageId: last.messageId }) };
}

type CardItem<Op extends string> = Extract<DeliveryItem, { kind: "card"; op: Op }>;

async function sentCard(item: CardItem<"send">, sending: Sending): Promise<Receipt> {
  const card = cardIn(item.card.payload);
  const whole = await withPlan(card, sending.parts);
  const drawn = drawnCard(whole.card, item, sending.parts);
  const isWhole = (!drawn.cut || (await sendWhole(whole, item.key, sending))) && !whole.isMissing;
  const { messageId } = await sendOne(
    { kind: "card", body: drawn.body, buttons: drawn.buttons },
    { key: item.key },
    sending,
  );
  return { state: "sent", messageId, ...(card.kind === "approval" ? { offered: isWhole ? "whole" : "part" } : {}) };
}

/** What a plugin describes wrongly would be tried for ever. */
function cardIn(payload: Json): Card {
  const { data, error } = CardSchema.safeParse(payload);
  if (data === undefined) throw new SendError(`it is no card: ${error.issues[0]?.message ?? ""}`, { retry: "never" });
  return data;
}

/** `isMissing`: the plan has more to say than its card, and it could not be read. */
type Whole = { card: Card; file: PlanText["file"] | undefined; isMissing: boolean };

/** With what the plan says besides its steps, which the session's state does not hold. */
async function withPlan(card: Card, { plan }: DeliverParts): Promise<Whole> {
  if (card.kind !== "approval" || card.planId === undefined) return { card, file: undefined, isMissing: false };
  const found = await plan(card.planId);
  if (found === undefined) return { card, file: undefined, isMissing: true };
  return { card: withSections(card, found.sections), file: found.file, isMissing: false };
}

type Drawn = { body: Body; buttons: ReturnType<typeof cardButtons>; cut: boolean };

function drawnCard(card: Card, item: CardItem<"send"> | CardItem<"edit">, parts: DeliverParts): Drawn {
  const { capabilities } = parts;
  const codes = cardCodes(item.card.buttons, capabilities);
  const drawing = { format: capabilities.format, link: parts.link(item), ...(codes === undefined ? {} : { codes }) };
  const { cardMax = capabilities.textMax, unit } = capabilities;
  const { body, cut } = renderCard(card, drawing, limitOf({ textMax: cardMax, unit }));
  const isRepeated = item.op === "send" && item.maybeSent && !capabilities.idempotentSend;
  const text = isRepeated ? `${neutral(ENGLISH.cardMaybeRepeated, capabilities.format)}\n${body.text}` : body.text;
  return { body: { ...body, text }, buttons: cardButtons(card, item.card.buttons, capabilities), cut };
}

/**
 * A plan that one message cannot hold: as a file, or in pages where there can be none or it fails. What fails of it does not
 * keep the card back; whether all of it arrived is known.
 */
async function sendWhole({ card, file }: Whole, key: string, sending: Sending): Promise<boolean> {
  const { capabilities } = sending.parts;
  const outs = file === undefined ? undefined : fileOut(file, card.title, capabilities);
  if (outs !== undefined && (await sendBeside(outs, `${key}#whole`, sending))) return true;
  const pages = cardPages(card, { format: capabilities.format }, limitOf(capabilities));
  return sendBeside(
    pages.map((body) => ({ kind: "text", body })),
    `${key}#pages`,
    sending,
  );
}

/** False when it failed: it is not begun again while the card waits for its turn, or each try would use up the turn. */
async function sendBeside(outs: readonly Out[], key: string, sending: Sending): Promise<boolean> {
  const { progress, report } = sending.parts;
  if (progress.get(key) === GIVEN_UP) return false;
  try {
    await sendAll(outs, key, sending);
    return true;
  } catch (error) {
    if (error instanceof TooFast) throw error;
    report(error);
    progress.set(key, GIVEN_UP);
    return false;
  }
}

/** Undefined where the channel takes no file of this size: it is not even begun. */
function fileOut(
  { name, mediaType, text }: PlanText["file"],
  title: string,
  { file, format }: Capabilities,
): Out[] | undefined {
  if (file === false) return undefined;
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength > file.bytesMax) return undefined;
  const caption = { format, text: captionText(title, format, file.captionMax) };
  return [{ kind: "file", file: { name, mediaType, bytes, caption } }];
}

/** Ends with the three decisions that can be typed. A title that leaves no room for them is left out: the card has it. */
function captionText(title: string, format: Body["format"], charsMax: number): string {
  const [about, named] = [ENGLISH.planFile, oneLine(title)].map((text) => neutral(text, format));
  const whole = `${about} ${bold(named ?? "", format)} — ${DECISIONS}`;
  return whole.length <= charsMax ? whole : `${about} ${DECISIONS}`.slice(0, charsMax);
}
const DECISIONS = "/plan accept, /plan accept edits, /plan revise";

/** Whoever has still to decide needs all of it, whatever others did meanwhile. */
async function editedCard(item: CardItem<"edit">, sending: Sending): Promise<Receipt> {
  const known = cardIn(item.card.payload);
  const { card } = known.actions.length > 0 ? await withPlan(known, sending.parts) : { card: known };
  const { body, buttons } = drawnCard(card, item, sending.parts);
  return replaced({ body, buttons, messageId: item.messageId }, item.key, sending);
}

async function closedCard(item: CardItem<"close">, sending: Sending): Promise<Receipt> {
  const { capabilities } = sending.parts;
  const { format } = capabilities;
  const { data: card } = CardSchema.safeParse(item.payload);
  const { body } =
    card === undefined
      ? { body: { format, text: neutral(ENGLISH.cardOver, format) } }
      : renderCard(card, { format }, limitOf(capabilities));
  return replaced({ body, buttons: [], messageId: item.messageId }, item.key, sending);
}

type Change = { body: Body; buttons: DrawnCardButtons; messageId: string };
type DrawnCardButtons = ReturnType<typeof cardButtons>;

/** Edited in place; where the channel cannot, or not any more, what is new is said in a new message. */
async function replaced({ body, buttons, messageId }: Change, key: string, sending: Sending): Promise<Receipt> {
  const { capabilities } = sending.parts;
  if (capabilities.edit !== false) {
    try {
      await sendOne({ kind: "edit", messageId, body, buttons }, { key }, sending);
      return { state: "edited" };
    } catch (error) {
      if (!(error instanceof SendError) || error.retry !== "never") throw error;
    }
  }
  const text = `${neutral(ENGLISH.cardReplaced, capabilities.format)}\n${body.text}`;
  const sent = await sendOne({ kind: "card", body: { ...body, text }, buttons }, { key, part: 1 }, sending);
  return { state: "sent", messageId: sent.messageId };
}
