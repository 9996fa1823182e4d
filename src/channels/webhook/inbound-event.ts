/** What the program on the other side tells us: a message, a press, or what became of one of ours. */
import { z } from "zod";
import type { VendorEvent } from "../port.ts";
import { isCommand } from "../wire/is-command.ts";

const id = z.string().min(1).max(400);

const envelope = {
  conversation: id,
  /** Absent: a direct conversation. */
  group: id.optional(),
  person: z.strictObject({ id, name: z.string().max(256).default(""), assured: z.boolean().default(true) }),
};

const Inbound = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("message"),
    ...envelope,
    text: z.string(),
    /** In a group: meant for us. */
    addressed: z.boolean().default(false),
    replyTo: id.optional(),
  }),
  z.strictObject({
    type: z.literal("click"),
    ...envelope,
    token: z.string().max(128),
    messageId: id,
    text: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("receipt"),
    ...envelope,
    messageId: id,
    state: z.enum(["delivered", "read", "failed"]),
    detail: z.string().max(500).optional(),
  }),
]);

export function inboundEvent(eventId: string, body: Uint8Array): VendorEvent | undefined {
  const { data } = Inbound.safeParse(jsonIn(body));
  if (data === undefined) return undefined;
  const { conversation, group, person } = data;
  const around = {
    eventId,
    conversation,
    direct: group === undefined,
    ...(group === undefined ? {} : { group }),
    person,
  };
  switch (data.type) {
    case "message": {
      const { text, addressed, replyTo } = data;
      const isAddressed = addressed || group === undefined || isCommand(text);
      return {
        ...around,
        kind: "message",
        text,
        addressed: isAddressed,
        ...(replyTo === undefined ? {} : { replyTo }),
      };
    }
    case "click": {
      const { token, messageId, text } = data;
      return { ...around, kind: "click", token, messageId, handle: eventId, ...(text === undefined ? {} : { text }) };
    }
    case "receipt": {
      const { messageId, state, detail } = data;
      return { ...around, kind: "receipt", messageId, state, ...(detail === undefined ? {} : { detail }) };
    }
  }
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}
