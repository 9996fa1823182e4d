/** Cells over the death of their gateway: a second one on the same store goes on, and nothing is run twice (CM-05, GA-12). */
import { describe, expect, it } from "vitest";
import { codeWorld, type CodeWorld, resultOf } from "../../../test/kit/code-world.ts";
import { plainSandbox } from "../../../test/kit/plain-sandbox.ts";
import type { ScriptStep } from "../../../test/kit/scripted-model.ts";
import { definePlugin, z } from "../../plugins/sdk.ts";
import { defineTool } from "../../tools/define-tool.ts";

const exec = (code: string): ScriptStep => ({ calls: [{ tool: "exec", args: { code } }] });
const never = new Promise<never>(() => undefined);

/** A tool that changes something and one that reads, both held until the test lets them go. */
function held() {
  const runs: string[] = [];
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const tool = (name: string, effect: "read" | "write") =>
    defineTool({
      name,
      description: "",
      effect,
      kind: effect === "read" ? "read_only" : "outbound",
      input: z.strictObject({}),
      async run() {
        runs.push(name);
        begun.resolve();
        await release.promise;
        return { status: "ok", content: `${name} done` } as const;
      },
    } as never);
  const plugin = definePlugin({
    id: "levers",
    name: "",
    description: "",
    register(api) {
      api.tools.registerTool(tool("pull", "write"));
      api.tools.registerTool(tool("look", "read"));
    },
  });
  return { plugin, runs, begun: begun.promise, release: () => release.resolve() };
}

type Given = { sandbox: ReturnType<typeof plainSandbox>; levers: ReturnType<typeof held>; timeoutMs?: number };
const given = ({ sandbox, levers, timeoutMs = 100 }: Given) => ({
  sandbox,
  plugins: [levers.plugin],
  codeMode: { enabled: true, timeoutMs },
});

/** The gateway is gone: a second one takes the turn over where its transcript ends. */
async function successor(dead: CodeWorld, parts: Given): Promise<CodeWorld> {
  const world = await codeWorld(
    ({ entries }) => {
      const last = entries.findLast((entry) => entry.kind === "result");
      const runId = z.object({ runId: z.string() }).safeParse(last?.kind === "result" ? last.content : null)
        .data?.runId;
      return runId === undefined ? { say: "done" } : { calls: [{ tool: "wait", args: { runId } }] };
    },
    { ...given(parts), store: dead.store, node: "node-2", clock: dead.clock, workspace: dead.workspace },
  );
  await world.settle();
  return world;
}

describe("a gateway that dies", () => {
  it("[CM-05] 54, 67: after a call of a waiting cell has ended: its result is delivered, once", async () => {
    const parts = { sandbox: plainSandbox(), levers: held() };
    const first = await codeWorld([exec("return await tools.pull({});"), { until: never }], given(parts));
    await first.send("go");
    void first.settle();
    await first.model.asked(2);
    parts.levers.release();
    await expect.poll(async () => (await first.entries()).some((entry) => entry.kind === "call-result")).toBe(true);
    const second = await successor(first, { ...parts, levers: held() });
    expect(await resultOf(second, "wait")).toMatchObject({ status: "completed", value: "pull done" });
    expect(parts.levers.runs).toEqual(["pull"]);
  });

  it("[CM-05, GA-12] 67: while a call of a waiting cell ran: it is unknown to the program, and never run again", async () => {
    const parts = { sandbox: plainSandbox(), levers: held() };
    const code = "return await tools.pull({}).catch((error) => 'caught: ' + error.message);";
    const first = await codeWorld([exec(code), { until: never }], given(parts));
    await first.send("go");
    void first.settle();
    await first.model.asked(2);
    const again = held();
    const second = await successor(first, { ...parts, levers: again });
    expect(await resultOf(second, "wait")).toMatchObject({
      status: "completed",
      value: expect.stringContaining("unknown"),
    });
    expect([...parts.levers.runs, ...again.runs]).toEqual(["pull"]);
    const ends = (await second.entries()).flatMap((entry) => (entry.kind === "call-result" ? [entry.status] : []));
    expect(ends).toEqual(["unknown"]);
  });

  it("[CM-05] 67: while a waiting cell only read: the call is made again", async () => {
    const parts = { sandbox: plainSandbox(), levers: held() };
    const first = await codeWorld([exec("return await tools.look({});"), { until: never }], given(parts));
    await first.send("go");
    void first.settle();
    await first.model.asked(2);
    const again = held();
    again.release();
    const second = await successor(first, { ...parts, levers: again });
    expect(await resultOf(second, "wait")).toMatchObject({ status: "completed", value: "look done" });
    expect(again.runs).toEqual(["look"]);
  });

  it("[CM-05, GA-12] 67: while a cell ran: neither the cell nor its claimed call is begun anew", async () => {
    const parts = { sandbox: plainSandbox(), levers: held(), timeoutMs: 60_000 };
    const first = await codeWorld([exec("return await tools.pull({});")], given(parts));
    await first.send("go");
    void first.settle();
    await parts.levers.begun;
    const again = held();
    const second = await successor(first, { ...parts, levers: again });
    const results = (await second.entries()).flatMap((entry) =>
      entry.kind === "result" || entry.kind === "call-result" ? [[entry.tool, entry.status]] : [],
    );
    expect(results).toEqual([
      ["pull", "unknown"],
      ["exec", "unknown"],
    ]);
    expect(again.runs).toEqual([]);
  });
});
