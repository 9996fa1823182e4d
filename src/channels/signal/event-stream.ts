/** Server-sent events over fetch: each one is taken before the next is read. */
import type { Socket } from "../wire/open-socket.ts";

const TYPE = "text/event-stream";
const EVENT_CHARS_MAX = 4 * 1024 * 1024;

export type StreamParts = { signal: AbortSignal; take(data: unknown): Promise<void>; failed(error: unknown): void };

/** Resolves when the stream is open. */
export async function openEventStream(url: string, { signal, take, failed }: StreamParts): Promise<Socket> {
  const ending = new AbortController();
  const answer = await fetch(url, {
    headers: { accept: TYPE },
    redirect: "error",
    signal: AbortSignal.any([signal, ending.signal]),
  });
  if (!answer.ok || answer.body === null) throw new Error(`The stream of events was refused: status ${answer.status}`);
  if (answer.headers.get("content-type")?.startsWith(TYPE) !== true) {
    ending.abort();
    throw new Error("What was answered is no stream of events.");
  }
  const { body } = answer;
  const read = async (): Promise<number> => {
    try {
      let rest = "";
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        rest = await takeWhole(`${rest}${chunk.replaceAll("\r", "")}`, take);
        if (rest.length > EVENT_CHARS_MAX) throw new Error("an event is too long");
      }
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
    return 0;
  };
  return { send: () => undefined, close: () => ending.abort(), closed: read() };
}

/** What is left of the last one, which has not come whole. */
async function takeWhole(text: string, take: StreamParts["take"]): Promise<string> {
  const events = text.split("\n\n");
  const rest = events.pop() ?? "";
  for (const event of events) {
    const lines = event.split("\n").filter((line) => line.startsWith("data:"));
    if (lines.length > 0) await take(JSON.parse(lines.map((line) => line.slice(5)).join("\n")));
  }
  return rest;
}
