/** Text that a person sends to a session: a command is run, everything else becomes a message to the agent. */
import type { Engine } from "../engine/engine.ts";
import type { SentAttachment } from "../protocol/attachment.ts";
import { MessageId, type SessionId } from "../protocol/ids.ts";
import type { Refused } from "../protocol/refusal.ts";
import { messageWith } from "./attachments.ts";
import { type CommandAnswer, commandIn, type CommandParts, runCommand } from "./command-text.ts";
import { idFor } from "./idempotency.ts";
import type { Creation } from "./open-session.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import type { Sender } from "./sender.ts";

export type SentText = {
  sessionId: SessionId;
  text: string;
  attachments?: readonly SentAttachment[] | undefined;
  /** Creates the session in the same commit, where it is not there yet. A command needs one that is. */
  creates?: Creation | undefined;
};
export type MessageAnswer = { kind: "message"; messageId: MessageId; queued: boolean };

export type MessageSending = {
  send(sent: SentText, by: Sender): Promise<MessageAnswer | CommandAnswer | Refused>;
};

export function createMessageSending(parts: CommandParts & { engine: Pick<Engine, "dispatch"> }): MessageSending {
  return {
    async send({ sessionId, text, attachments: sent = [], creates }, by) {
      const typed = commandIn(text);
      if (typed !== undefined && sent.length === 0) return runCommand({ ...typed, sessionId }, by, parts);
      const lacking = lackingScopes("chat.send", ["operator.write"], by.actor.scopes);
      if (lacking !== undefined) return lacking;
      const messageId = MessageId.parse(`msg_${idFor(by, "chat.send")}`);
      const command = messageWith({ messageId, text, sent });
      if ("refused" in command) return command;
      const first = creates === undefined ? command : { ...command, creates };
      const outcome = await parts.engine.dispatch(sessionId, first, by);
      if (!outcome.ok) return { refused: outcome.refusal };
      return { kind: "message", messageId, queued: isQueued(outcome.reply) };
    },
  };
}

const isQueued = (reply: unknown): boolean =>
  typeof reply === "object" && reply !== null && "queued" in reply && reply.queued === true;
