import { describe, expect, it } from "vitest";
import type { Actor } from "../../protocol/actor.ts";
import { CycleId, OperatorId } from "../../protocol/ids.ts";
import type { ChangesCommand, ChangesEvent, ChangesState } from "../protocol/state.ts";
import { resolveChanges } from "../settings.ts";
import { type ChangesContext, decideChanges } from "./decide.ts";
import { declaredPaths } from "./declared-paths.ts";
import { afterPlan, changesEffects } from "./effects.ts";
import { evolveChanges } from "./evolve.ts";
import { executingPlan } from "./executing-plan.ts";
import { guardChanges } from "./guard.ts";

const cycleId = CycleId.parse("cyc_1");
const SYSTEM: Actor = { kind: "system", reason: "plugin:changes" };
const ADA: Actor = {
  kind: "operator",
  id: OperatorId.parse("opr_1"),
  name: "Ada",
  scopes: ["operator.approvals"],
  surface: "page",
};
const READER: Actor = {
  kind: "operator",
  id: OperatorId.parse("opr_2"),
  name: "Rea",
  scopes: ["operator.read"],
  surface: "page",
};
const AGENT = { kind: "agent", sessionId: "ses_1" } as unknown as Actor;

const executing = { planMode: { now: { phase: "executing", cycle: { id: cycleId }, steps: [] } } };

const contextOf = (actor: Actor, drift = {}): ChangesContext =>
  ({
    nowMs: 7,
    actor,
    settings: resolveChanges({ root: { changes: { drift } } }),
    session: { slices: executing },
    freshId: () => "x",
  }) as unknown as ChangesContext;

const recorded = (undeclared: number, more: object = {}): ChangesCommand => ({
  type: "record",
  cycleId,
  callId: "call_1",
  step: 1,
  files: 2,
  undeclared,
  paths: ["odd.txt"],
  declares: true,
  ...more,
});

function after(state: ChangesState, command: ChangesCommand, context: ChangesContext): [ChangesState, ChangesEvent[]] {
  const decided = decideChanges(state, command, context);
  if ("refused" in decided) throw new Error(decided.refused.code);
  return [decided.events.reduce(evolveChanges, state), decided.events];
}

const CALL = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" } as const;

describe("the machine of changes", () => {
  it("[BY-03] warns, pauses and stops at its limits, and after a person's word only further files pause it again", () => {
    const context = contextOf(SYSTEM, { warn: 1, pause: 2, stop: 4 });
    const [warned, facts] = after({}, recorded(1), context);
    expect(facts.map(({ type }) => type)).toEqual(["changes.recorded", "changes.drifted"]);
    expect(warned.cycle).toMatchObject({ level: "warned", undeclared: 1, calls: 1 });
    expect(guardChanges(warned, CALL, context)).toEqual({ allowed: true });
    const [paused] = after(warned, recorded(2), context);
    expect(guardChanges(paused, CALL, context)).toMatchObject({
      allowed: false,
      refusal: { rule: "changes/drift-paused" },
    });
    const [resumed] = after(paused, { type: "resume" }, contextOf(ADA));
    const [again] = after(resumed, recorded(3), context);
    expect(guardChanges(again, CALL, context)).toEqual({ allowed: true });
    const [stopped] = after(again, recorded(4), context);
    expect(guardChanges(stopped, CALL, context)).toMatchObject({ refusal: { rule: "changes/drift-stopped" } });
    expect(decideChanges(stopped, { type: "resume" }, contextOf(ADA))).toMatchObject({
      refused: { code: "CHANGES_NOT_PAUSED" },
    });
  });

  it("[BY-03] does not warn about a plan that names no file, and counts it all the same where a limit holds", () => {
    expect(after({}, recorded(3, { declares: false }), contextOf(SYSTEM))[1]).toHaveLength(1);
    const [held] = after({}, recorded(3, { declares: false }), contextOf(SYSTEM, { stop: 3 }));
    expect(held.cycle?.level).toBe("stopped");
  });

  it("[BY-09] lets a person decide on a rollback, never the agent and nobody who may only read", () => {
    const order: ChangesCommand = {
      type: "rollback",
      rollbackId: "rbk_1",
      cycleId,
      step: 1,
      files: 2,
      conflicts: "keep",
    };
    for (const actor of [AGENT, READER, SYSTEM])
      expect(decideChanges({}, order, contextOf(actor))).toMatchObject({ refused: { code: "PERMISSION_DENIED" } });
    expect(decideChanges({}, recorded(0), contextOf(AGENT))).toMatchObject({ refused: { code: "PERMISSION_DENIED" } });
    const [ordered, facts] = after({}, order, contextOf(ADA));
    expect(guardChanges(ordered, CALL, contextOf(SYSTEM))).toMatchObject({ refusal: { rule: "changes/rollback" } });
    expect(decideChanges(ordered, order, contextOf(ADA))).toMatchObject({ refused: { code: "CHANGES_BUSY" } });
    const effects = facts.flatMap((event) => changesEffects(ordered, event));
    expect(effects.map(({ kind }) => kind)).toEqual(["perform", "audit"]);
    const report: ChangesCommand = { type: "restored", rollbackId: "rbk_1", restored: 2, left: 0, paths: ["a.txt"] };
    const [done, rolledBack] = after(ordered, report, contextOf(SYSTEM));
    expect(done.rollback).toBeUndefined();
    expect(rolledBack).toMatchObject([{ type: "changes.rolled_back", by: { name: "Ada" }, restored: 2 }]);
    expect(after(done, report, contextOf(SYSTEM))[1]).toEqual([]); // reported twice
  });

  it("[BY-09] says and audits a snapshot that failed", () => {
    const [state, [event]] = after({}, recorded(0, { failure: "the disk is full" }), contextOf(SYSTEM));
    expect(state.cycle?.failures).toEqual(["the disk is full"]);
    const effects = event === undefined ? [] : changesEffects(state, event);
    expect(effects).toMatchObject([{ kind: "notify" }, { kind: "audit", fact: { type: "changes.unrecorded" } }]);
  });
});

describe("the files that a plan names", () => {
  const names = (text: string, path: string, scope?: string[]): boolean =>
    declaredPaths([
      { step: text, status: "pending", ...(scope === undefined ? {} : { scope: { paths: scope } }) },
    ]).names(path);

  it.each([
    ["Edit src/app.ts.", "src/app.ts", true],
    ["Edit `src/app.ts`, then stop", "src/app.ts", true],
    ["Edit app.ts", "src/deep/app.ts", true],
    ["Edit app.ts", "src/app.tsx", false],
    ["Move everything in src/util/ elsewhere", "src/util/a/b.ts", true],
    ["Rework src/util", "src/util/a.ts", true],
    ["Rework src and/or lib", "src/a.ts", false],
    ["Write tests/**/*.test.ts", "tests/a/b/c.test.ts", true],
    ["Write tests/*.ts", "tests/a/b.ts", false],
    ["Do it", "a.txt", false],
    ["See ../outside.txt", "outside.txt", false],
  ])("[BY-03] %j names %s: %s", (text, path, expected) => {
    expect(names(text, path)).toBe(expected);
  });

  it("[BY-03] takes the declared scope of a step, too", () => {
    expect(names("Do it", "src/a.ts", ["src/**"])).toBe(true);
    expect(names("Do it", "lib/a.ts", ["src/**"])).toBe(false);
  });

  it("[BY-03] is quick with patterns that are made to be slow", () => {
    const stars = `${"*a".repeat(200)}b/x`;
    expect(names("Do it", `${"a".repeat(4_000)}/x`, [stars])).toBe(false);
  });
});

it("[BY-02, BY-03] what people added to the plan's scope is no drift, nor is a declared folder without its slash", () => {
  const step = { step: "Write it", status: "pending", scope: { paths: ["docs"] } };
  const declared = declaredPaths([step], ["notes/log.txt", "out/*.js"]);
  const paths = ["docs/a.md", "notes/log.txt", "out/app.js", "notes/other.txt", "src/a.ts"];
  expect(paths.filter((path) => declared.names(path))).toEqual(["docs/a.md", "notes/log.txt", "out/app.js"]);
  const [kept] = after({}, recorded(0, { amended: ["notes/log.txt"] }), contextOf(SYSTEM));
  expect(kept.cycle).toMatchObject({ amended: ["notes/log.txt"] });
  const now = {
    phase: "executing",
    cycle: { id: cycleId },
    steps: [step],
    amendments: [{ add: { paths: ["a.txt"] } }, { add: {} }],
  };
  expect(executingPlan({ slices: { planMode: { now } } })).toMatchObject({ amended: ["a.txt"] });
});

it("[BY-10] the files of a plan are listed once, when the cycle that changed some of them has ended", () => {
  const [state] = after({}, recorded(0), contextOf(SYSTEM));
  const ordered = (slice: string, type: string, of: string) =>
    afterPlan(state, { slice, event: { type, cycleId: of } });
  const order = { kind: "perform", order: { do: "list-files", cycleId }, key: "listed:cyc_1" };
  expect(ordered("planMode", "plan.completed", cycleId)).toEqual([order]);
  expect(ordered("planMode", "plan.left", cycleId)).toEqual([order]);
  expect(ordered("planMode", "plan.updated", cycleId)).toEqual([]);
  expect(ordered("planMode", "plan.left", "cyc_2")).toEqual([]);
  expect(ordered("other", "plan.left", cycleId)).toEqual([]);
  expect(afterPlan({}, { slice: "planMode", event: { type: "plan.left", cycleId } })).toEqual([]);
  const list: ChangesCommand = { type: "list", cycleId, paths: ["a.txt"] };
  const [same, events] = after(state, list, contextOf(SYSTEM));
  expect(same).toBe(state);
  const body = { cycleId, paths: ["a.txt"] };
  expect(events.flatMap((event) => changesEffects(state, event))).toMatchObject([
    { kind: "write-artifact", artifact: { kind: "changed-files", id: cycleId, body } },
  ]);
  for (const actor of [ADA, AGENT])
    expect(decideChanges(state, list, contextOf(actor))).toMatchObject({ refused: { code: "PERMISSION_DENIED" } });
});
