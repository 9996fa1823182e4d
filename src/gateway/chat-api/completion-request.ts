/** A request in the form of OpenAI's chat completions, as far as a gateway with its own agent can take it. */
import { z } from "zod";

const MESSAGES_MAX = 2_000;

const Part = z.object({ type: z.string(), text: z.string().optional() });
const Message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(Part), z.null()]).optional(),
});
type Message = z.infer<typeof Message>;

/** Clients send much that only a bare model understands; what would be promised and not kept is refused. */
const Body = z.object({
  model: z.string().min(1).max(64),
  messages: z.array(Message).min(1).max(MESSAGES_MAX),
  stream: z.boolean().nullish(),
  n: z.literal(1).nullish(),
  tools: z.array(z.unknown()).max(0, "the agent has its own tools").nullish(),
});

export type CompletionRequest = {
  agentId: string;
  /** Of a new session: with what was said before, since nobody else knows it. Of one that goes on: the last message. */
  text: string;
  isStream: boolean;
};

/** A text says what is wrong with it. */
export function completionRequest(body: unknown, { goesOn }: { goesOn: boolean }): CompletionRequest | string {
  const parsed = Body.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "no JSON"}`;
  }
  const { model, messages, stream } = parsed.data;
  const texts = messages.map((message) => ({ role: message.role, text: textOf(message) }));
  const problem = problemOf(texts);
  if (problem !== undefined) return problem;
  const before = goesOn ? [] : texts.slice(0, -1).filter(({ text }) => text !== "");
  return { agentId: model, text: withBefore(before, texts.at(-1)?.text ?? ""), isStream: stream === true };
}

type EarlierMessage = { role: string; text: string | undefined };

function problemOf(texts: readonly EarlierMessage[]): string | undefined {
  const last = texts.at(-1);
  if (last?.role !== "user") return "messages: the last one must be the user's";
  if (texts.some(({ text }) => text === undefined)) return "messages: only text is taken here";
  const said = last.text ?? "";
  if (said.trim() === "") return "messages: the last one is empty";
  return said.startsWith("/") ? "messages: commands are not taken here, only words for the agent" : undefined;
}

function textOf({ content }: Message): string | undefined {
  if (typeof content === "string") return content;
  const parts = content ?? [];
  return parts.every(({ type, text }) => type === "text" && text !== undefined)
    ? parts.map(({ text }) => text).join("\n")
    : undefined;
}

function withBefore(before: readonly EarlierMessage[], said: string): string {
  if (before.length === 0) return said;
  const lines = before.map(({ role, text }) => `${role}: ${text}`);
  return `What was said before, as the client reports it:\n\n${lines.join("\n\n")}\n\n---\n\n${said}`;
}
