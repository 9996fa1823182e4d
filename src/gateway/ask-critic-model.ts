/** One answer of a configured model for plan mode's critic: text alone, no tools, within its limits. */
import type { Model } from "../agent/model.ts";
import type { AskCritic } from "../plan-mode/critic/ask-critic.ts";
import { TurnId } from "../protocol/ids.ts";

const CRITIC_TURN = TurnId.parse("trn_critic");

export const createCriticModel =
  (named: (name: string) => Model): AskCritic =>
  async ({ model, system, text, charsMax, sessionId, signal }) => {
    const entries = [{ kind: "input", turnId: CRITIC_TURN, text, injectionIds: [], messages: [] }] as const;
    const request = { sessionId, turnId: CRITIC_TURN, system, tools: [], workspace: "", signal };
    const stopped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("it took too long")), { once: true });
    });
    const answered = collect(
      named(model).stream({
        ...request,
        entries: entries.map((entry) => ({ ...entry, injectionIds: [], messages: [] })),
      }),
      charsMax,
    );
    return Promise.race([answered, stopped]);
  };

async function collect(parts: ReturnType<Model["stream"]>, charsMax: number): Promise<string> {
  let answer = "";
  for await (const part of parts) {
    if (part.type === "text") answer += part.delta;
    if (answer.length >= charsMax) break; // the stream is closed, and nothing more is paid for
  }
  return answer.slice(0, charsMax).toWellFormed();
}
