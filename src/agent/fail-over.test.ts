import { describe, expect, it } from "vitest";
import { type FakeClock, fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { scriptedModel, type ScriptStep } from "../../test/kit/scripted-model.ts";
import { counter } from "../../test/kit/scripted-turn.ts";
import { turnWorld } from "../../test/kit/turn-world.ts";
import { asIs, type LocalizedText } from "../protocol/localized/localized-text.ts";
import { askModel, MODEL_RETRIES_MAX, RETRY_AFTER_MS_MAX } from "./ask-model.ts";
import { type FailureKind, type Model, ModelFailure, type ModelRequest } from "./model.ts";
import { createModelHealth, type ModelHealth } from "./model-health.ts";

describe("fail-over", () => {
  const request = { sessionId: "s", turnId: "t", system: "", entries: [], tools: [], workspace: "" };
  const failing = (given: Partial<ModelFailure> & { retry: boolean }): ScriptStep => ({
    fail: new ModelFailure(asIs(given.message ?? "It failed."), given),
  });

  type Given = { clock?: FakeClock; health?: ModelHealth };

  const asking = (...scripts: ScriptStep[][]) => askingWith({}, ...scripts);

  function askingWith({ clock = fakeClock(), health = createModelHealth(clock) }: Given, ...scripts: ScriptStep[][]) {
    const texts: string[] = [];
    const reports: unknown[] = [];
    const models = scripts.map((script, at) => ({ ...scriptedModel(script), id: `model-${at + 1}` }));
    const stop = new AbortController();
    const onText = (text: string): void => void texts.push(text);
    const report = (error: unknown): void => void reports.push(error);
    const onNote = ({ text }: LocalizedText): void => void texts.push(text);
    const answer = askModel({ models, request, signal: stop.signal, clock, health, onText, onNote, report });
    return { answer, clock, health, texts, reports, models, stop };
  }

  it("[RT-01] asks the next model when one cannot answer, and says so to whoever watches", async () => {
    const { answer, texts, models } = asking([failing({ retry: false, kind: "auth" })], [{ say: "hello" }]);
    expect(await answer).toEqual({ status: "answered", text: "hello", calls: [], cutShort: false });
    expect(texts).toEqual(["It failed.\n[asking model-2 instead]", "hello"]);
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
      retryAfterMs: 0,
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

describe("the memory of fail-over", () => {
  const away: ScriptStep = { fail: new ModelFailure(asIs("It is away."), { retry: true, kind: "overloaded" }) };
  const hello: ScriptStep = { say: "hello" };
  const named = (id: string, script: ScriptStep[]) => ({ ...scriptedModel(script), id });
  const request = { sessionId: "s", turnId: "t", system: "", entries: [], tools: [], workspace: "" };

  /** A gateway's memory over several requests; the first model has just used up its patience. */
  async function remembering(kind: FailureKind = "overloaded") {
    const clock = fakeClock();
    const health = createModelHealth(clock);
    health.failed("acme/one", { kind, retryAfterMs: 0 });
    const ask = async (models: readonly Model[], stop = new AbortController()) => {
      const notes: string[] = [];
      const onNote = ({ text }: LocalizedText): void => void notes.push(text);
      const quietly = { onText: () => undefined, report: () => undefined };
      const answer = await askModel({ models, request, signal: stop.signal, clock, health, onNote, ...quietly });
      return { answer, notes };
    };
    return { clock, health, ask };
  }

  it("[RT-01] asks no model again that failed a moment ago while another can answer, and says why", async () => {
    const { ask } = await remembering();
    const [one, two] = [named("acme/one", []), named("acme/two", [hello, hello])];
    for (let n = 0; n < 2; n++) {
      const { answer, notes } = await ask([one, two]);
      expect(answer).toMatchObject({ status: "answered", text: "hello" });
      expect(notes).toEqual([
        "acme/one did not answer a moment ago and is left alone for a while.\n[asking acme/two instead]",
      ]);
    }
    expect(one.requests).toEqual([]);
  });

  it("[RT-01] tries it once when the time is up, one request alone, and comes back to it when it answers", async () => {
    const { ask, clock, health } = await remembering();
    clock.advance(30_000);
    expect(health.standing("acme/one")).toBe("probe");
    expect(health.standing("acme/one")).toBe("resting");
    health.untried("acme/one");
    const [one, two] = [named("acme/one", [hello, hello]), named("acme/two", [])];
    expect(await ask([one, two])).toMatchObject({ answer: { status: "answered" }, notes: [] });
    expect(await ask([one, two])).toMatchObject({ answer: { status: "answered" }, notes: [] });
    expect(health.resting()).toEqual([]);
  });

  it("[RT-01] spends no patience on the trial, and leaves it alone for longer each time", async () => {
    const { ask, clock, health } = await remembering();
    for (const restMs of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      clock.advance((health.resting()[0]?.untilMs ?? 0) - clock.now());
      const [one, two] = [named("acme/one", [away]), named("acme/two", [hello])];
      expect((await ask([one, two])).answer).toMatchObject({ status: "answered" });
      expect(one.requests).toHaveLength(1);
      expect((health.resting()[0]?.untilMs ?? 0) - clock.now()).toBe(restMs);
    }
  });

  it("[RT-01] asks it last of all when every other one fails", async () => {
    const { ask } = await remembering();
    const broken: ScriptStep = { fail: new ModelFailure(asIs("No key."), { retry: false, kind: "missing-key" }) };
    const [one, two] = [named("acme/one", [hello]), named("acme/two", [broken])];
    const { answer, notes } = await ask([one, two]);
    expect(answer).toMatchObject({ status: "answered", text: "hello" });
    expect(notes.at(-1)).toBe("No key.\n[asking acme/one instead]");
  });

  it.each([
    ["network", "resting"],
    ["overloaded", "well"],
    ["rate-limit", "well"],
  ] as const)("[RT-01] a failure of kind %s leaves another model of the provider %s", async (kind, standing) => {
    const { health } = await remembering(kind);
    expect(health.standing("acme/one")).toBe("resting");
    expect(health.standing("acme/three")).toBe(standing);
    expect(health.standing("other/one")).toBe("well");
  });

  it.each(["missing-key", "auth", "quota", "bad-request", "filtered", "context-overflow", "other"] as const)(
    "[RT-01] remembers no %s: it fails at once, and a person may mend it at any moment",
    async (kind) => {
      const { health } = await remembering(kind);
      expect(health.standing("acme/one")).toBe("well");
    },
  );

  it("[RT-01] a request that is stopped leaves the trial to the next one", async () => {
    const { ask, clock, health } = await remembering();
    clock.advance(30_000);
    const stop = new AbortController();
    stop.abort();
    expect((await ask([named("acme/one", [hello]), named("acme/two", [])], stop)).answer.status).toBe("stopped");
    expect(health.standing("acme/one")).toBe("probe");
  });

  it("[RT-01] a provider that names a time is left alone for at least that long", async () => {
    const { clock, health } = await remembering();
    health.failed("acme/two", { kind: "rate-limit", retryAfterMs: 3_600_000 });
    clock.advance(3_599_000);
    expect(health.standing("acme/two")).toBe("resting");
  });

  it("[RT-01] retries and changes of model stand in the transcript, the same words once in a turn", async () => {
    const { tool } = counter();
    const call: ScriptStep = { calls: [{ tool: "count", args: {} }] };
    const models = [named("acme/one", [away, away, call, hello]), named("acme/two", [])];
    const made = turnWorld({ model: models, tools: [tool] });
    await made.open();
    await made.send("go");
    const settled = made.settle();
    for (let n = 1; n <= 2; n++) {
      await expect.poll(() => models[0]?.requests.length).toBe(n);
      await quiet();
      made.clock.advance(8_000);
    }
    await settled;
    const notices = (await made.entries()).filter(({ kind }) => kind === "notice");
    expect(notices).toMatchObject([{ text: "It is away.\n[asking again in 1 s]" }]);
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
