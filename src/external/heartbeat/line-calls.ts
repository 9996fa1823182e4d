/** How each agent writes a call of a tool into its transcript of lines. */
import { z } from "zod";

/** The calls in whole lines that begin at a place: names that stay when the same call is written anew. */
export type LineCalls = (lines: string, from: { place: number; sinceMs: number }) => readonly string[];

/** For agents that write each call once. */
export const matchedCalls =
  (call: RegExp): LineCalls =>
  (lines, { place }) =>
    Array.from(lines.matchAll(call), ({ index }) => `${place}+${index}`);

const GeminiMessage = z.looseObject({
  toolCalls: z.array(z.looseObject({ id: z.string(), status: z.string(), timestamp: z.iso.datetime() })),
});

/**
 * Gemini CLI writes a message anew whenever something of it changes, and a resumed run brings old ones with it. A tool that
 * is not there, or gets arguments that it cannot take, fails before any hook is asked: only calls that ran count.
 */
export const geminiCalls: LineCalls = (lines, { sinceMs }) =>
  parsedLines(lines, '"toolCalls":', GeminiMessage)
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ status, timestamp }) => status === "success" && Date.parse(timestamp) >= sinceMs)
    .map(({ id }) => id);

const CopilotEvent = z.looseObject({
  type: z.literal("tool.execution_start"),
  id: z.string(),
  agentId: z.string().optional(),
});

/** The calls of its sub-agents stand in the same file, while their hooks tell of them under a name of their own. */
export const copilotCalls: LineCalls = (lines, { place }) =>
  parsedLines(lines, '"tool.execution_start"', CopilotEvent).flatMap(({ agentId }, index) =>
    agentId === undefined ? [`${place}+${index}`] : [],
  );

function parsedLines<Shape extends z.ZodType>(lines: string, mark: string, shape: Shape): z.infer<Shape>[] {
  const marked = lines.split("\n").filter((line) => line.includes(mark));
  return marked.flatMap((line) => {
    const { success, data } = shape.safeParse(json(line));
    return success ? [data] : [];
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a line of another kind
  }
}
