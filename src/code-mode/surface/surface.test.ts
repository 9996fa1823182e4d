/** What the model is shown in a run: the document's activation order, the exact payload, and what happens when it cannot be. */
import { describe, expect, it } from "vitest";
import { codeWorld, resultOf } from "../../../test/kit/code-world.ts";
import { plainSandbox } from "../../../test/kit/plain-sandbox.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import { z } from "../../plugins/sdk.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { CodeModeChoice } from "../protocol/code-mode-config.ts";

const program = (code: string) => ({ tool: "exec", args: { code } });
const names = (world: Awaited<ReturnType<typeof codeWorld>>) =>
  world.requests().map(({ tools }) => tools.map(({ name }) => name));
const notices = async (world: Awaited<ReturnType<typeof codeWorld>>) =>
  (await world.entries()).flatMap((entry) =>
    entry.kind === "notice" && !entry.text.startsWith("[") ? [entry.text] : [],
  );

describe("what the model is shown", () => {
  it("[CM-01] 2, 4, 5, 142, 165: exactly exec and wait, and they run a program", async () => {
    for (const codeMode of [true, { enabled: true }] satisfies CodeModeChoice[]) {
      const world = await codeWorld([{ calls: [program("return 1 + 1")] }, { say: "done" }], { codeMode });
      await world.say("go");
      expect(names(world)).toEqual([
        ["exec", "wait"],
        ["exec", "wait"],
      ]);
      expect(world.requests().map(({ toolsExactly }) => toolsExactly)).toEqual([
        ["exec", "wait"],
        ["exec", "wait"],
      ]);
      expect(await resultOf(world, "exec")).toMatchObject({ status: "completed", value: 2 });
    }
  });

  it("[CM-01] 1, 3, 140, 141, 164: nothing changes while it is off, and nothing of it is stored", async () => {
    const off: (CodeModeChoice | undefined)[] = [false, {}, { enabled: false }, { timeoutMs: 500 }, { mode: "auto" }];
    const shown = await Promise.all(
      off.map(async (codeMode) => {
        const world = await codeWorld([{ say: "hi" }], { codeMode: codeMode ?? false });
        await world.say("go");
        const { codeMode: state } = (await world.session()).slices;
        return {
          tools: world.requests()[0]?.tools,
          state,
          notices: await notices(world),
          cells: world.sandbox.cells.size,
        };
      }),
    );
    const plain = await codeWorld([{ say: "hi" }], { codeMode: false });
    await plain.say("go");
    const tools = plain.toolbox.catalog(await plain.session());
    for (const one of shown) expect(one).toEqual({ tools, state: {}, notices: [], cells: 0 });
    expect(tools.map(({ name }) => name)).not.toContain("wait");
  });

  it("[CM-01] 7, 8, 143: is not active where a run has no tools", async () => {
    const { chooseByCost } = await import("./choose-surface.ts");
    const world = await codeWorld([]);
    const session = await world.session();
    const { resolveCodeMode } = await import("../settings.ts");
    const settings = resolveCodeMode({ tools: { codeMode: true }, agent: undefined });
    const parts = { namespaces: () => [], isReady: async () => false, log: () => undefined };
    expect(await chooseByCost({ session, settings: {}, offers: [] }, settings, parts)).toEqual({ surface: "catalog" });
  });

  it("[CM-01] 9: fails the run when no cell can run, and shows no other tool instead", async () => {
    const sandbox = plainSandbox();
    sandbox.isThere = false;
    const world = await codeWorld([{ say: "never" }], { sandbox });
    await world.say("go");
    expect(world.requests()).toEqual([]);
    expect(await notices(world)).toEqual([expect.stringContaining("runtime_unavailable")]);
  });

  it("[CM-01] 12, 13, 36, 78, 152, 153: another name never reaches a tool, and the shell is reached by its id alone", async () => {
    const world = await codeWorld([
      {
        calls: [
          { tool: "glob", args: { pattern: "*" } },
          { tool: "code_mode.exec", args: { code: "return 1" } },
        ],
      },
      {
        calls: [
          program(`
            const seen = [];
            for (const id of ["code_mode.exec", "holdpoint:core:code_mode.exec", "plugin:code-mode:exec", "holdpoint:core:wait"])
              seen.push(await tools.call(id, { code: "return 1" }).catch((error) => error.message));
            const shell = await tools.call("holdpoint:core:exec", { command: "echo from-the-shell" }).catch((error) => error.message);
            return { seen, shell, listed: ALL_TOOLS.some(({ name }) => name.startsWith("code_mode")) };`),
        ],
      },
      { say: "done" },
    ]);
    await world.say("go");
    const results = (await world.entries()).flatMap((entry) => (entry.kind === "result" ? [entry] : []));
    expect(results.slice(0, 2)).toMatchObject([
      { tool: "glob", status: "error", content: expect.stringContaining("only exec and wait") },
      { tool: "code_mode.exec", status: "error" },
    ]);
    const value = (await resultOf(world, "exec")) as never as {
      value: { seen: string[]; shell: unknown; listed: boolean };
    };
    expect(value.value.seen).toEqual(value.value.seen.map(() => expect.stringContaining("There is no tool")));
    expect(value.value.listed).toBe(false);
    expect(value.value.shell).toMatchObject({ output: "from-the-shell\n" });
  });

  it("[CM-01] 27: settings that change count from the next run on", async () => {
    const settings = { planMode: PlanModeSettings.parse({}), codeMode: {} as object };
    const { resolveCodeMode } = await import("../settings.ts");
    settings.codeMode = resolveCodeMode({ tools: { codeMode: true }, agent: undefined });
    const world = await codeWorld(
      (_request, number) => {
        if (number === 1) {
          settings.codeMode = resolveCodeMode({ tools: { codeMode: false }, agent: undefined });
          return { calls: [program("return 1")] };
        }
        return { say: "done" };
      },
      { settings },
    );
    await world.say("go");
    await world.say("again");
    expect(names(world).map((list) => list.includes("wait"))).toEqual([true, true, false]);
  });
});

describe("auto", () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    defineTool({
      name: `lookup_${index}`,
      description: "Looks something up in a long list of things that nobody wants to read in full. ".repeat(4),
      effect: "read",
      kind: "read_only",
      input: z.strictObject({ query: z.string().describe("What to look for, in plain words.") }),
      run: async () => ({ status: "ok", content: "found" }) as const,
    }),
  );

  it("[CM-01] 15: chooses by what the definitions cost, and says once what it chose", async () => {
    const world = await codeWorld([{ say: "one" }, { say: "two" }], { codeMode: "auto", tools: many });
    await world.say("go");
    await world.say("again");
    expect(names(world)).toEqual([
      ["exec", "wait"],
      ["exec", "wait"],
    ]);
    expect(await notices(world)).toEqual([
      expect.stringMatching(/sees exec and wait \(about \d+ tokens\) instead of \d+ tools \(about \d+ tokens\)/),
    ]);
  });

  it("[CM-01] 15: leaves a short list of tools as it is", async () => {
    const { chooseByCost } = await import("./choose-surface.ts");
    const { resolveCodeMode } = await import("../settings.ts");
    const world = await codeWorld([]);
    const session = await world.session();
    const [first] = world.toolbox.offered(session);
    const settings = resolveCodeMode({ tools: { codeMode: { enabled: true, mode: "auto" } }, agent: undefined });
    const parts = { namespaces: () => [], isReady: async () => true, log: () => undefined };
    const choice = await chooseByCost(
      { session, settings: {}, offers: first === undefined ? [] : [first] },
      settings,
      parts,
    );
    expect(choice).toMatchObject({ surface: "catalog", note: { text: expect.stringContaining("sees its 1 tools") } });
  });
});

describe("what the projection says", () => {
  it("[CM-01] 41, 91: is the same text for the same catalog, and holds no schema of a tool", async () => {
    const world = await codeWorld([{ say: "one" }, { say: "two" }]);
    await world.say("go");
    await world.say("again");
    const [first, second] = world.requests();
    expect(first?.tools).toEqual(second?.tools);
    const text = JSON.stringify(first?.tools);
    for (const word of [
      "tools.search",
      "tools.describe",
      "tools.call",
      "text(value)",
      "json(value)",
      "wait({runId})",
      "yield_control",
      "ALL_TOOLS",
    ])
      expect(text).toContain(word);
    expect(text).not.toContain("command");
    expect(text.length / 4).toBeLessThan(520);
  });

  it("[CM-01] 14, 139: debug switches log names and figures, by the file or by the environment, and are off by default", async () => {
    const lines: unknown[] = [];
    const { chooseByCost } = await import("./choose-surface.ts");
    const { debuggedBy, resolveCodeMode } = await import("../settings.ts");
    const world = await codeWorld([]);
    const session = await world.session();
    const offers = world.toolbox.offered(session);
    const choose = async (debug: object, env: Record<string, string> = {}) => {
      lines.length = 0;
      const settings = resolveCodeMode({ tools: { codeMode: { enabled: true, debug } }, agent: undefined });
      await chooseByCost({ session, settings: {}, offers }, debuggedBy(settings, env), {
        namespaces: () => [],
        isReady: async () => true,
        log: (...line) => void lines.push(line),
      });
      return lines.length;
    };
    expect(await choose({})).toBe(0);
    expect(await choose({ activation: true })).toBe(1);
    expect(await choose({ payload: "tools" })).toBe(1);
    expect(lines).toEqual([["info", expect.any(String), { names: ["exec", "wait"] }]]);
    expect(await choose({ payload: "full-redacted" })).toBe(1);
    expect(await choose({}, { HOLDPOINT_DEBUG_CODE_MODE: "1", HOLDPOINT_DEBUG_MODEL_PAYLOAD: "tools" })).toBe(2);
    expect(lines).toMatchObject([
      ["info", expect.any(String), { chosen: "cells" }],
      ["info", expect.any(String), { names: ["exec", "wait"] }],
    ]);
    expect(await choose({}, { HOLDPOINT_DEBUG_MODEL_PAYLOAD: "full-redacted" })).toBe(1);
    expect(
      await choose({ activation: true }, { HOLDPOINT_DEBUG_CODE_MODE: "0", HOLDPOINT_DEBUG_MODEL_PAYLOAD: "x" }),
    ).toBe(0);
  });
});
