/**
 * Words for a button, on channels without forms: a question is sent, and the reply to that very message is what was asked
 * for. What it belongs to is noted in the store, so a restart in between loses nothing.
 */
import { z } from "zod";
import type { ChannelIo } from "../../plugins/sdk.ts";

const ASKED_MS = 24 * 3_600_000;

const Asked = z.object({ token: z.string(), messageId: z.string(), personId: z.string() });
export type Asked = z.infer<typeof Asked>;

export type AskedWords = {
  /** The question stands in this message. */
  ask(at: { conversation: string; messageId: string }, asked: Asked, nowMs: number): Promise<void>;
  /** What a reply to this message answers; undefined for any other message, and for somebody else's reply. */
  answered(at: { conversation: string; messageId: string; personId: string }): Promise<Asked | undefined>;
};

type At = { conversation: string; messageId: string };

const keyOf = ({ conversation, messageId }: At): string => `asked:${conversation}:${messageId}`;

export function createAskedWords(account: string, { notes }: Pick<ChannelIo, "notes">): AskedWords {
  return {
    ask: (at, asked, nowMs) =>
      notes.set(account, keyOf(at), { value: JSON.stringify(asked), untilMs: nowMs + ASKED_MS }),
    async answered({ personId, ...at }) {
      const noted = await notes.get(account, keyOf(at));
      const { data } = Asked.safeParse(noted === undefined ? undefined : JSON.parse(noted));
      return data?.personId === personId ? data : undefined;
    },
  };
}
