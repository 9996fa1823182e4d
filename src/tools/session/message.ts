/**
 * The tool message: a notice to the person in the session, which every surface that shows the session shows.
 * It leaves the agent, so it counts as an outbound change and waits for approval like the others.
 */
import { z } from "zod";
import type { Sessions } from "../../plugins/sessions.ts";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";
import { lines, noticeOf, type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";

const TEXT_CHARS_MAX = 4_000;

const Args = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .max(TEXT_CHARS_MAX)
    .refine((text) => !text.includes("\u0000"), "the text contains a NUL character"),
});

export const createMessageTool = (parts: { sessions: Pick<Sessions, "dispatch"> }): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "message",
    effect: "write",
    kind: "outbound",
    description:
      "Sends the person of this conversation a short notice right now, on the surface where they read along. Not for answers: those you simply write.",
    input: Args,
    async run({ text }, { sessionId }): Promise<ToolOutput> {
      const outcome = await parts.sessions.dispatch(
        sessionId,
        { type: "notice.add", ...noticeOf(asNotice(text)) },
        { actor: { kind: "agent", sessionId } },
      );
      if (!outcome.ok) return { status: "error", content: `Not delivered: ${outcome.refusal.message}` };
      return { status: "ok", content: { delivered: true } };
    },
  });

/** Each line marked: none of the agent's words can pass for a line of the gateway's own, such as an approval. */
const asNotice = (text: string): LocalizedText =>
  lines([
    localized("agentMessage"),
    ...text
      .toWellFormed()
      .split(/\r\n?|[\n\u2028\u2029\u0085\v\f]/)
      .map((line) => `> ${line}`),
  ]);
