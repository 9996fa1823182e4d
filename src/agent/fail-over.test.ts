import { describe, expect, it } from "vitest";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../../test/kit/scripted-model.ts";
import { counter } from "../../test/kit/scripted-turn.ts";
import { turnWorld } from "../../test/kit/turn-world.ts";
import { asIs, type LocalizedText } from "../protocol/localized/localized-text.ts";
import { askModel, MODEL_RETRIES_MAX, RETRY_AFTER_MS_MAX } from "./ask-model.ts";
import { type Model, ModelFailure, type ModelRequest } from "./model.ts";

describe("fail-over", () => {
  const request = { sessionId: "s", turnId: "t", system: "", entries: [], tools: [], workspace: "" };
  const failing = (given: Partial<ModelFailure> & { retry: boolean }): ScriptStep => ({
    fail: new ModelFailure(asIs(given.message ?? "It failed."), given),
  });

  function asking(...scripts: ScriptStep[][]) {
    const clock = fakeClock();
    const texts: string[] = [];
    const reports: unknown[] = [];
    const models = scripts.map((script, at) => ({ ...scriptedModel(script), id: `model-${at + 1}` }));
    const stop = new AbortController();
    const onText = (text: string): void => void texts.push(text);
    const report = (error: unknown): void => void reports.push(error);
    const onNote = ({ text }: LocalizedText): void => void texts.push(text);
    const answer = askModel({ models, request, signal: stop.signal, clock, onText, onNote, report });
    return { answer, clock, texts, reports, models, stop };
  }

  it("[RT-01] asks the next model when one cannot answer, and says so to whoever watches", async () => {
    const { answer, texts, models } = asking([failing({ retry: false, kind: "auth" })], [{ say: "hello" }]);
    expect(await answer).toEqual({ status: "answered", text: "hello", calls: [], cutShort: false });
    expect(texts).toEqual(["\n[asking model-2 instead]\n", "hello"]);
    expect(models[1]?.requests[0]).toMatchObject(request);
  });

  it("[RT-01] asks the next model after the last attempt, each attempt with the same request", async () => {
    const busy = failing({ retry: true, kind: "overloaded" });
    const { answer, clock, models, reports } = asking(
      Array.from({ length: MODEL_RETRIES_MAX + 1 }, () => busy),
      [{ say: "hello" }],
    );
    for (let n = 1; n <= MODEL_RETRIES_MAX; n++) {
      await expect.poll(() => reports.length).toBe(n);
      await quiet();
      clock.advance(8_000);
    }
    expect(await answer).toMatchObject({ status: "answered", text: "hello" });
    const asked = models.flatMap(({ requests }) => requests.map(({ signal: _signal, ...sent }) => sent));
    expect(asked).toEqual(Array.from({ length: MODEL_RETRIES_MAX + 2 }, () => request));
  });

  it("[RT-01] tells what every model said when none could answer", async () => {
    const { answer } = asking(
      [failing({ retry: false, kind: "missing-key", message: "One needs a key." })],
      [failing({ retry: false, kind: "quota", message: "Two has no credit." })],
    );
    expect(await answer).toEqual({
      status: "failed",
      kind: "quota",
      words: asIs("One needs a key.\nTwo has no credit."),
    });
  });

  it("[RT-05] takes a conversation that is too long to no other model", async () => {
    const { answer, models } = asking([failing({ retry: false, kind: "context-overflow" })], [{ say: "no" }]);
    expect(await answer).toMatchObject({ status: "failed", kind: "context-overflow" });
    expect(models[1]?.requests).toEqual([]);
  });

  it("[RT-01] waits longer each time, never all for the same time, and as long as it is asked to", async () => {
    const busy = failing({ retry: true });
    const { answer, clock, reports } = asking([
      busy,
      busy,
      failing({ retry: true, retryAfterMs: 30_000 }),
      { say: "hello" },
    ]);
    const waits: number[] = [];
    for (let n = 1; n <= 3; n++) {
      await expect.poll(() => reports.length).toBe(n);
      await quiet();
      const waitMs = (clock.alarms[0] ?? 0) - clock.now();
      waits.push(waitMs);
      clock.advance(waitMs);
    }
    expect(await answer).toMatchObject({ status: "answered" });
    const [first = 0, second = 0, third] = waits;
    expect(first).toBeGreaterThanOrEqual(750);
    expect(first).toBeLessThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(1_500);
    expect(second).toBeLessThanOrEqual(2_000);
    expect(third).toBe(30_000);
  });

  it("[RT-01] does not wait for a provider that asks for more patience than a person has", async () => {
    const { answer } = asking([failing({ retry: true, retryAfterMs: RETRY_AFTER_MS_MAX + 1 })], [{ say: "hello" }]);
    expect(await answer).toMatchObject({ status: "answered", text: "hello" });
  });

  it("[RT-04] stops while it waits to ask again", async () => {
    const { answer, reports, stop } = asking([failing({ retry: true })]);
    await expect.poll(() => reports.length).toBe(1);
    stop.abort();
    expect(await answer).toEqual({ status: "stopped", text: "" });
  });
});

describe("what comes with an answer", () => {
  const usage = {
    model: "acme/one",
    inputTokens: 10,
    outputTokens: 2,
    cacheReadTokens: 4,
    cacheWriteTokens: 0,
    costUsd: 0.5,
  };
  const kept = { model: "acme/one", parts: [] };
  const model = (costUsd: number | null): Model => ({
    id: "acme/one",
    scripted: false,
    async *stream() {
      yield { type: "thinking" };
      yield { type: "text", delta: "hello" };
      yield { type: "usage", usage: { ...usage, costUsd } };
      yield { type: "keep", kept };
      yield { type: "end", reason: "stop" };
    },
  });

  it("[RT-01] is recorded with it, and added up for the session", async () => {
    const models = [model(0.5), model(null)];
    const made = turnWorld({ model: { ...model(0.5), stream: (asked) => (models.shift() ?? model(0)).stream(asked) } });
    await made.open();
    await made.send("a");
    await made.settle();
    await made.send("b");
    await made.settle();
    expect((await made.entries())[1]).toMatchObject({ kind: "assistant", text: "hello", usage, kept });
    expect((await made.session()).spent).toEqual({
      inputTokens: 20,
      outputTokens: 4,
      cacheReadTokens: 8,
      cacheWriteTokens: 0,
      costUsd: 0.5,
      answers: 2,
      answersWithoutPrice: 1,
    });
  });

  it("[RT-01] is told to the model when a call could not be read, and no tool is asked", async () => {
    const { tool, runs } = counter();
    const broken: Model = {
      id: "acme/one",
      scripted: false,
      async *stream({ entries }) {
        if (entries.some((entry) => entry.kind === "result"))
          return yield* model(0).stream({ entries } as ModelRequest);
        yield { type: "call", call: { callId: "c1", tool: "count", args: {}, problem: "No JSON. Send it again." } };
        yield { type: "end", reason: "calls" };
      },
    };
    const made = turnWorld({ model: broken, tools: [tool] });
    await made.open();
    await made.send("go");
    expect(await made.settle()).toEqual(["done"]);
    expect(runs).toEqual([]);
    expect((await made.entries())[2]).toMatchObject({
      kind: "result",
      status: "error",
      content: "No JSON. Send it again.",
    });
  });
});
