/** What Meta sends: messages, presses of buttons and rows, and what became of ours. One request may hold several. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { isEmptyMessage, untakenFile } from "../wire/untaken-file.ts";

const id = z.string().min(1).max(400);
const reply = z.object({ id, title: z.string() });

const Message = z.object({
  from: id,
  id,
  type: z.string(),
  text: z.object({ body: z.string() }).optional(),
  interactive: z.object({ button_reply: reply.optional(), list_reply: reply.optional() }).optional(),
  context: z
    .object({ id: id.optional(), forwarded: z.boolean().optional(), frequently_forwarded: z.boolean().optional() })
    .optional(),
});
const Status = z.object({
  id,
  status: z.string(),
  recipient_id: id,
  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
});
const Value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: z.array(z.object({ wa_id: id, profile: z.object({ name: z.string() }).optional() })).default([]),
  messages: z.array(z.unknown()).default([]),
  statuses: z.array(z.unknown()).default([]),
});
const Envelope = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.object({ changes: z.array(z.object({ value: z.unknown() })) })),
});

/** Undefined where it is nothing of WhatsApp; what it holds of other kinds is left out. */
export function whatsappEvents(payload: unknown, phoneNumberId: string): VendorEvent[] | undefined {
  const { data } = Envelope.safeParse(payload);
  if (data === undefined) return undefined;
  return data.entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ value }) => {
      const found = Value.safeParse(value).data;
      if (found === undefined || found.metadata.phone_number_id !== phoneNumberId) return [];
      const names = new Map(found.contacts.map(({ wa_id: who, profile }) => [who, profile?.name ?? ""]));
      const messages = found.messages.flatMap((one) => {
        const message = Message.safeParse(one).data;
        return message === undefined ? [] : messageEvent(message, names.get(message.from) ?? "");
      });
      const statuses = found.statuses.flatMap((one) => {
        const status = Status.safeParse(one).data;
        return status === undefined ? [] : receiptEvent(status);
      });
      return [...messages, ...statuses];
    });
}

/** What it answers, and whether somebody else wrote it. */
function contextOf({ context = {} }: z.infer<typeof Message>): { replyTo?: string; forwarded?: true } {
  const isForwarded = context.forwarded === true || context.frequently_forwarded === true;
  return {
    ...(context.id === undefined ? {} : { replyTo: context.id }),
    ...(isForwarded ? { forwarded: true } : {}),
  };
}

const FILES = /^(?:image|document|audio|video|sticker)$/;

const around = (waId: string, name: string) =>
  ({ conversation: waId, direct: true, person: { id: waId, assured: true, name } }) as const;

function messageEvent(message: z.infer<typeof Message>, name: string): VendorEvent[] {
  const { from, text, interactive, context } = message;
  const pressed = interactive?.button_reply ?? interactive?.list_reply;
  const base = { ...around(from, name), eventId: `message:${message.id}` };
  if (pressed !== undefined)
    return context?.id === undefined ? [] : [{ ...base, kind: "click", token: pressed.id, messageId: context.id }];
  const files = untakenFile(FILES.test(message.type));
  const said = text?.body ?? "";
  if (isEmptyMessage(said, files)) return [];
  return [{ ...base, kind: "message", text: said, addressed: true, ...contextOf(message), ...files }];
}

const STATES: Readonly<Record<string, "delivered" | "read" | "failed">> = {
  delivered: "delivered",
  read: "read",
  failed: "failed",
};

function receiptEvent({ id: messageId, status, recipient_id: who, errors }: z.infer<typeof Status>): VendorEvent[] {
  const state = STATES[status];
  if (state === undefined) return [];
  const [error] = errors ?? [];
  const detail = error === undefined ? {} : { detail: `${error.code} ${error.title ?? ""}`.trim().slice(0, 200) };
  return [
    { ...around(who, ""), kind: "receipt", eventId: `receipt:${messageId}:${status}`, messageId, state, ...detail },
  ];
}
