/** The runner's side of its pipes: answers questions until the gateway is gone. */
import { frameOf, readFrames } from "./frames.ts";

/** Answers one question; `signal` aborts when nobody waits for the answer any more. */
export type Answer = (question: object, signal: AbortSignal) => Promise<unknown>;

const say = (message: object): void => void process.stdout.write(frameOf(message));

export function serve(answer: Answer): void {
  const running = new Map<number, AbortController>();

  async function take(id: number, question: object): Promise<void> {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      say({ id, output: await answer(question, stop.signal) });
    } catch (error) {
      say({ id, failed: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(id);
    }
  }
  readFrames(process.stdin, {
    onFrame(message) {
      if (message === null || typeof message !== "object" || !("id" in message)) return;
      const id = Number(message.id);
      if ("cancel" in message) running.get(id)?.abort();
      else if ("question" in message && message.question !== null && typeof message.question === "object") {
        void take(id, message.question);
      }
    },
    onBroken: () => process.exit(1),
  });
  process.stdin.once("end", () => process.exit(0));
}
