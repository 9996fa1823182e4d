import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type CollectedSpan, traceCollector } from "../kit/trace-collector.ts";
import { story } from "./story.ts";

const STEP = "Write greeting.txt with hunter22";
const submit: ScriptStep = {
  calls: [{ tool: "exit_plan_mode", args: { title: "Greet hunter22", plan: [{ step: STEP, status: "pending" }] } }],
};
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hunter22\n" } }] };
const WAITED_MS = 3_600_000;

const NS_PER_MS = 1_000_000n;
const lastedMs = ({ startTimeUnixNano: from, endTimeUnixNano: to }: CollectedSpan): number =>
  Number((BigInt(to) - BigInt(from)) / NS_PER_MS);

it("[GW-07] turns, answers, calls and the wait for a person are spans, across a restart, without a word of anybody", async () => {
  const { clock, start, stop, person } = story();
  const { endpoint, spans, bodies } = await traceCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` };
  await start(scriptedModel([write, submit]), { env });
  const before = await person();
  const sessionId = await before.open();
  await before.say(sessionId, "Please greet hunter22");
  await before.until("turn.finished");
  await stop();
  clock.advance(WAITED_MS);
  await start(scriptedModel([write, { say: "Done, hunter22." }]), { env });
  const alice = await person();
  await alice.watch(sessionId);
  await alice.accept(sessionId);
  await alice.until("turn.finished");
  await stop();

  expect(bodies.join()).not.toContain("hunter22");
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(["holdpoint"]));
  const turns = spans.filter(({ name }) => name.startsWith("invoke_agent "));
  expect(turns.map(({ attributes }) => attributes["gen_ai.conversation.id"])).toEqual([sessionId, sessionId]);
  const inTurn = turns.map(({ traceId, spanId }) =>
    spans
      .filter((span) => span.traceId === traceId && span.parentSpanId === spanId)
      .map(({ name, attributes }) => [name.split(" ")[0], attributes["gen_ai.tool.name"], attributes["error.type"]]),
  );
  const asked = ["chat", undefined, undefined];
  expect(inTurn.map((found) => found.toSorted((a, b) => a.join().localeCompare(b.join())))).toEqual([
    [asked, asked, ["execute_tool", "exit_plan_mode", undefined], ["execute_tool", "write", "refused"]],
    [asked, asked, ["execute_tool", "write", undefined]],
  ]);
  const waits = spans.filter(({ name }) => name === "plan.approval");
  expect(waits.map((span) => [span.attributes["holdpoint.approval.decision"], lastedMs(span) >= WAITED_MS])).toEqual([
    ["approved", true],
  ]);
});

it.each([{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "SET", OTEL_SDK_DISABLED: "true" }])(
  "[GW-07] nothing is sent with %j",
  async (variables: Record<string, string>) => {
    const { start, stop, person } = story();
    const { endpoint, bodies } = await traceCollector();
    const env = Object.fromEntries(Object.entries(variables).map(([k, v]) => [k, v === "SET" ? endpoint : v]));
    await start(scriptedModel([{ say: "Hello." }]), { env });
    const alice = await person();
    await alice.say(await alice.open(), "Hi");
    await alice.until("turn.finished");
    await stop();
    expect(bodies).toEqual([]);
  },
);

it("[GW-07] a collector that refuses ends nothing, and the log says so once", async () => {
  const { home, start, stop, person } = story();
  const { endpoint, spans, refuse } = await traceCollector();
  refuse();
  await start(scriptedModel([{ say: "Hello." }]), { log: "file", env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  const alice = await person();
  await alice.say(await alice.open(), "Hi");
  await alice.until("turn.finished");
  await stop();
  const lines = readFileSync(join(home, "gateway.log"), "utf8").split("\n");
  expect(lines.filter((line) => line.includes("traces cannot be sent"))).toHaveLength(1);
  expect(spans).toEqual([]);
});
