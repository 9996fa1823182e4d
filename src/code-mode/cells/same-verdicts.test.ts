/** One table of calls, made by the model itself and from a cell: the gate says the same, in every mode (CM-04). */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeWorld } from "../../../test/kit/code-world.ts";
import { z } from "../../plugins/sdk.ts";
import { GateRefusal } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Entry } from "../../protocol/transcript-entry.ts";
import { defineTool } from "../../tools/define-tool.ts";

const foreign = (name: string, effect: "read" | "write") =>
  defineTool({
    name,
    description: "",
    effect,
    kind: effect === "read" ? "read_only" : "outbound",
    input: z.strictObject({ to: z.string().optional() }),
    run: async () => ({ status: "ok", content: "ran" }) as const,
  } as never);
const tools = [foreign("look_outside", "read"), foreign("send_outside", "write")];

const CALLS: [tool: string, args: JsonObject][] = [
  ["read", { path: "keep.txt" }],
  ["read", { path: "../outside.txt" }],
  ["glob", { pattern: "*" }],
  ["grep", { pattern: "keep" }],
  ["write", { path: "made.txt", content: "made" }],
  ["edit", { path: "keep.txt", old_text: "keep", new_text: "kept" }],
  ["exec", { command: "ls" }],
  ["exec", { command: "touch made.txt" }],
  ["exec", { command: "ls; touch made.txt" }],
  ["exec", { command: "ls $(touch made.txt)" }],
  ["look_outside", {}],
  ["send_outside", { to: "somebody" }],
  ["look_outside", { surprise: true }],
  ["enter_plan_mode", {}],
  ["update_plan", { plan: [] }],
  ["plan_mode_status", {}],
  ["no_such_tool", {}],
];

type Mode = "plan" | "default" | "ask" | "accept";
type Verdict = { status: string; rule?: unknown; ran: boolean };

async function verdict(mode: Mode, [tool, args]: [string, JsonObject], inCell: boolean): Promise<Verdict> {
  const id = `${PLAN_TOOLS.has(tool) ? "plugin:plan-mode" : "holdpoint:core"}:${tool}`;
  const code = `await tools.call(${JSON.stringify(id)}, ${JSON.stringify(args)}).catch(() => undefined); return 1;`;
  const call = inCell ? { tool: "exec", args: { code } } : { tool, args };
  const world = await codeWorld((_request, number) => (number === 1 ? { calls: [call] } : { say: "done" }), {
    codeMode: inCell,
    tools,
    planMode: { permissionMode: mode === "plan" ? "default" : mode },
  });
  writeFileSync(join(world.workspace, "keep.txt"), "keep\n");
  if (mode === "plan") await world.enterPlan();
  await world.say("go");
  const entry = (await world.entries()).find((one) => one.kind === (inCell ? "call-result" : "result"));
  return { ...verdictIn(entry), ran: existsSync(join(world.workspace, "made.txt")) };
}

function verdictIn(entry: Entry | undefined): Omit<Verdict, "ran"> {
  if (entry?.kind !== "result" && entry?.kind !== "call-result") return { status: "error" }; // a cell knows no such id
  const refusal = entry.status === "refused" ? GateRefusal.parse(entry.content) : undefined;
  return { status: entry.status, ...(refusal === undefined ? {} : { rule: refusal.rule }) };
}
const PLAN_TOOLS: ReadonlySet<string> = new Set(["enter_plan_mode", "update_plan", "plan_mode_status"]);

describe("the same call, by the model and from a cell", () => {
  it.each(["plan", "default", "ask", "accept"] as const)(
    "[CM-04, GA-02, GA-12] 114, 151: has the same verdict in mode %s",
    async (mode) => {
      const direct = await Promise.all(CALLS.map((call) => verdict(mode, call, false)));
      const nested = await Promise.all(CALLS.map((call) => verdict(mode, call, true)));
      const rows = (verdicts: Verdict[]) => CALLS.map((call, index) => [call, verdicts[index]]);
      expect(rows(nested)).toEqual(rows(direct));
      if (mode !== "plan") return;
      expect(direct.some(({ ran }) => ran)).toBe(false);
      expect(direct.filter(({ status }) => status === "refused").length).toBeGreaterThan(5);
    },
  );
});
