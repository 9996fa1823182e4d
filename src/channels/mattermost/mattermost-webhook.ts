/** What the Mattermost server sends us: presses, forms that were filled in, slash commands. Nothing without its proof is read on. */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { VendorEvent, VendorIo, WebhookAnswer, WebhookRequest } from "../port.ts";
import type { HeldAnswers } from "../wire/held-answers.ts";
import { isSameSecret } from "../wire/same-secret.ts";
import { FormState, PressContext, type Proofs } from "./action-proof.ts";
import { conversationOf, placeOf, WORDS } from "./post-attachments.ts";

/** How long a press waits for the word that is shown to who pressed. */
const HOLD_MS = 1_500;

const Press = z.object({
  user_id: z.string().min(1),
  user_name: z.string().default(""),
  channel_id: z.string(),
  post_id: z.string().min(1),
  trigger_id: z.string(),
  context: PressContext,
});
const Submission = z.object({
  type: z.literal("dialog_submission"),
  user_id: z.string(),
  channel_id: z.string(),
  state: z.string().max(4_000),
  cancelled: z.boolean().default(false),
  submission: z.record(z.string(), z.unknown()).nullish(),
});
const Command = z.object({
  token: z.string(),
  user_id: z.string().min(1),
  user_name: z.string().default(""),
  channel_id: z.string(),
  command: z.string().startsWith("/"),
  text: z.string().default(""),
  trigger_id: z.string(),
});

export const Handle = z.object({ id: z.string(), trigger: z.string(), userId: z.string(), conversation: z.string() });
export type Handle = z.infer<typeof Handle>;

export type Taking = {
  io: VendorIo;
  proofs: Proofs;
  commandToken: string | undefined;
  held: HeldAnswers<string>;
  isDirect(channel: string): Promise<boolean>;
};

export function mattermostWebhook(request: WebhookRequest, taking: Taking): Promise<WebhookAnswer> | WebhookAnswer {
  const text = Buffer.from(request.body).toString("utf8");
  switch (request.path) {
    case "/action":
      return pressed(text, taking);
    case "/dialog":
      return filledIn(text, taking);
    case "/command":
      return called(text, taking);
    default:
      return { status: 404, body: "{}" };
  }
}

const UNPROVEN: WebhookAnswer = { status: 401, body: "{}" };
const DONE: WebhookAnswer = { status: 200, body: "{}" };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function pressed(text: string, taking: Taking): Promise<WebhookAnswer> {
  const { data } = Press.safeParse(parsed(text));
  if (data === undefined || !taking.proofs.isSealed(data.context)) return UNPROVEN;
  const { user_id: userId, user_name: name, channel_id: channel, post_id: messageId, trigger_id: trigger } = data;
  const { token, conversation } = data.context;
  if (placeOf(conversation)?.channel !== channel) return UNPROVEN;
  const id = `press:${digest(trigger)}`;
  const event: VendorEvent = {
    kind: "click",
    eventId: id,
    token,
    messageId,
    handle: JSON.stringify({ id, trigger, userId, conversation } satisfies Handle),
    ...(await inPlace(conversation, channel, taking)),
    person: { id: userId, assured: true, name },
  };
  const said = await deliverAndHold(event, taking);
  return said === undefined || said === "" ? DONE : answered({ ephemeral_text: said });
}

/** By the person whom the form was opened for, and by nobody else who has seen it. */
async function filledIn(text: string, taking: Taking): Promise<WebhookAnswer> {
  const { data } = Submission.safeParse(parsed(text));
  const { data: state } = FormState.safeParse(data === undefined ? undefined : parsed(data.state));
  if (data === undefined || state === undefined || !taking.proofs.isSealed(state)) return UNPROVEN;
  const { token, conversation, messageId, userId, id } = state;
  const channel = placeOf(conversation)?.channel ?? "";
  if (data.user_id !== userId) return UNPROVEN;
  const words = data.submission?.[WORDS];
  if (data.cancelled || typeof words !== "string" || words.trim() === "") return DONE;
  await taking.io.deliver({
    kind: "click",
    eventId: `form:${id}`,
    token,
    messageId,
    text: words.trim(),
    ...(await inPlace(conversation, channel, taking)),
    person: { id: userId, assured: true, name: userId },
  });
  return DONE;
}

async function called(text: string, taking: Taking): Promise<WebhookAnswer> {
  const { data } = Command.safeParse(Object.fromEntries(new URLSearchParams(text)));
  const { commandToken } = taking;
  if (data === undefined || commandToken === undefined || !isSameSecret(data.token, commandToken)) return UNPROVEN;
  const { user_id: userId, user_name: name, channel_id: channel, trigger_id: trigger } = data;
  const id = `command:${digest(trigger)}`;
  const conversation = conversationOf({ channel, root: undefined });
  const event: VendorEvent = {
    kind: "message",
    eventId: id,
    text: `${data.command} ${data.text}`.trim(),
    addressed: true,
    handle: JSON.stringify({ id, trigger, userId, conversation } satisfies Handle),
    ...(await inPlace(conversation, channel, taking)),
    person: { id: userId, assured: true, name },
  };
  const said = await deliverAndHold(event, taking);
  return said === undefined || said === "" ? DONE : answered({ response_type: "ephemeral", text: said });
}

async function deliverAndHold(event: VendorEvent, { io, held }: Taking): Promise<string | undefined> {
  const said = held.wait(event.eventId, HOLD_MS);
  try {
    await io.deliver(event);
  } catch (error) {
    held.answer(event.eventId, "");
    throw error;
  }
  return said;
}

async function inPlace(conversation: string, channel: string, { isDirect }: Taking) {
  const direct = await isDirect(channel);
  return { conversation, direct, ...(direct ? {} : { group: channel }) };
}

const answered = (body: object): WebhookAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
