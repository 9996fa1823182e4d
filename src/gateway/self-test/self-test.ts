/**
 * The self-test: one whole plan, from entering plan mode to its completion. It is played on a second gateway in this
 * process, with this installation's configuration, runner and sandbox, a scripted model, and folders and a store of its
 * own, so that nothing of it can stay behind; the live store is written to and cleaned by itself before.
 */
import { randomUUID } from "node:crypto";
import type { State } from "../../compose/state.ts";
import type { RunSelfTest, SelfTestReport, SelfTestStep } from "../../plan-mode/protocol/self-test/self-test-report.ts";
import { SessionId } from "../../protocol/ids.ts";

const LIMIT_MS = 10_000;
const STORE_KEPT_MS = 60_000;
const WHY_CHARS_MAX = 500;

export type Step = <Result>(step: SelfTestStep, work: () => Promise<Result>) => Promise<Result>;

/** One at a time: whoever asks meanwhile gets the same report. */
export function createSelfTest(state: Pick<State, "config" | "store" | "clock">): RunSelfTest {
  let running: Promise<SelfTestReport> | undefined;
  return () => (running ??= selfTest(state).finally(() => (running = undefined)));
}

async function selfTest(state: Pick<State, "config" | "store" | "clock">): Promise<SelfTestReport> {
  const began = performance.now();
  const steps: SelfTestReport["steps"] = [];
  const notes: string[] = [];
  const step: Step = async (name, work) => {
    const from = performance.now();
    const took = (): number => Math.round(performance.now() - from);
    try {
      const result = await work();
      steps.push({ step: name, ok: true, tookMs: took() });
      return result;
    } catch (error) {
      const why = (error instanceof Error ? error.message : String(error)).slice(0, WHY_CHARS_MAX);
      if (steps.every(({ ok }) => ok)) steps.push({ step: name, ok: false, tookMs: took(), why });
      throw error;
    }
  };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`it took longer than ${LIMIT_MS} ms`)), LIMIT_MS);
  try {
    await step("store", () => writesAndForgets(state));
    const { playOnePlan } = await import("./play-one-plan.ts"); // a second gateway, which most processes never need
    await playOnePlan({ config: state.config.current(), step, notes, signal: limit.signal });
  } catch {
    // the step that failed stands in the report
  } finally {
    clearTimeout(timer);
  }
  const ok = steps.length > 0 && steps.every((one) => one.ok) && steps.at(-1)?.step === "clean";
  return { ok, tookMs: Math.round(performance.now() - began), steps, notes };
}

/** The live store takes bytes, returns them and drops them. */
async function writesAndForgets({ store, clock }: Pick<State, "store" | "clock">): Promise<void> {
  const { writable, detail } = await store.health();
  if (!writable) throw new Error(`the store takes nothing: ${detail}`);
  const place = { owner: "self-test", key: randomUUID() };
  const nowMs = clock.now();
  const bytes = new TextEncoder().encode(place.key);
  const sessionId = SessionId.parse("ses_self_test");
  await store.saveBlob({ ...place, sessionId, untilMs: nowMs + STORE_KEPT_MS, bytes });
  const read = await store.blob({ ...place, nowMs });
  await store.removeBlobs(place);
  if (read === undefined || new TextDecoder().decode(read.bytes) !== place.key)
    throw new Error("the store returned something else than was written");
}
