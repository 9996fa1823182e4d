import { describe, expect, it, onTestFinished } from "vitest";
import { coreWorld, create } from "../../test/kit/core.ts";
import { fakeClock, quiet } from "../../test/kit/fake-clock.ts";
import { inPhase } from "../../test/kit/plan-session.ts";
import { systemClock } from "../engine/clock.ts";
import type { Sessions } from "../plugins/sessions.ts";
import { SessionId } from "../protocol/ids.ts";
import { Json } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { createProcessTable } from "../tools/builtin/exec/process-table.ts";
import { createRunningCalls } from "../tools/running-calls.ts";
import { watchBackground } from "./background-programs.ts";
import { rightToChange } from "./right-to-change.ts";

const [parent, child] = [SessionId.parse("ses_parent"), SessionId.parse("ses_child")];
const ORDER = {
  file: "/bin/sleep",
  args: ["600"],
  cwd: "/",
  env: {},
  timeoutMs: 600_000,
  command: "",
  contained: true,
};

/** Sessions by port: their modes are what a test says they are. */
function world({ shared = false } = {}) {
  const core = coreWorld();
  core.must(create);
  const { session } = core;
  if (session === undefined) throw new Error("no session");
  const modes = new Map<SessionId, Json>();
  const told: unknown[] = [];
  const reports: unknown[] = [];
  const listeners: Parameters<Sessions["onCommitted"]>[0][] = [];
  const stored = (id: SessionId): Session => ({
    ...session,
    id,
    ...(id === child ? { parentId: parent } : {}),
    slices: { planMode: modes.get(id) ?? NORMAL },
  });
  const sessions: Sessions = {
    async session(id) {
      if (modes.get(id) === "unreadable") throw new Error("the store is away");
      return stored(id);
    },
    async dispatch(id, command) {
      told.push({ id, type: command.type });
      return { ok: true, reply: null, session: undefined };
    },
    subscribe: () => () => undefined,
    onCommitted: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const processes = createProcessTable(systemClock);
  const clock = fakeClock();
  const calls = createRunningCalls();
  const revoked = new Set<string>();
  const right = {
    sessions,
    slices: new Map(),
    clock,
    settingsFor: () => ({}),
    revoked,
    whyVoid: async () => undefined,
  };
  const watching = watchBackground({
    processes,
    calls,
    sessions,
    clock,
    shared,
    rightOf: (id) => rightToChange(id, right),
    report: (error) => void reports.push(error),
  });
  onTestFinished(async () => {
    watching.stop();
    await processes.endAll();
  });
  const start = (sessionId: SessionId) => processes.start(ORDER, { sessionId, signal: new AbortController().signal });
  function commit(id: SessionId, mode: Json): void {
    modes.set(id, mode);
    const event = { type: "slice.changed", slice: "planMode", event: { type: "plan.entered" } } as const;
    for (const listener of listeners) listener({ sessionId: id, session: stored(id), events: [{ event }] });
  }
  const reasons = (id: SessionId) => processes.list(id).map((item) => item.reason());
  const begin = (sessionId: SessionId, granted = false) =>
    calls.begin({ sessionId, granted, signal: new AbortController().signal });
  const revoke = (id: string): void => {
    revoked.add(id);
    watching.lookAtAll();
  };
  return { processes, modes, told, reports, start, commit, reasons, clock, begin, revoke };
}

const stateIn = (phase: Parameters<typeof inPhase>[0]): Json => Json.parse(inPhase(phase).state());
const [NORMAL, PLANNING, EXECUTING] = [stateIn("off"), stateIn("exploring"), stateIn("executing")];
const HELD = Json.parse({
  ...inPhase("off").state(),
  held: { id: "apr_1", by: { kind: "operator", id: "opr_bob", name: "Bob" }, atMs: 1 },
});
const REASON = "the session is in plan mode, where nothing may change";

describe("programs in the background of a session", () => {
  it("[I01, I16] end when a session above enters plan mode, and its own agent is told", async () => {
    const { start, commit, reasons, told } = world();
    start(child);
    commit(parent, PLANNING);
    await expect.poll(() => reasons(child)).toEqual([REASON]);
    await expect
      .poll(() => told)
      .toEqual([
        { id: child, type: "notice.add" },
        { id: child, type: "injection.add" },
      ]);
  });

  it("[I01] end when plan mode was entered between the permit and the start", async () => {
    const { start, modes, reasons } = world();
    modes.set(child, PLANNING);
    start(child);
    await expect.poll(() => reasons(child)).toEqual([REASON]);
  });

  it("[I18] end when nobody can tell the mode", async () => {
    const { start, modes, reasons, reports } = world();
    modes.set(parent, "unreadable");
    start(parent);
    await expect.poll(() => reasons(parent)).toEqual([REASON]);
    expect(reports).toEqual([new Error("the store is away")]);
    const odd = world();
    odd.modes.set(parent, { odd: true });
    odd.start(parent);
    await expect.poll(() => odd.reasons(parent)).toEqual([REASON]);
  });

  it("[I01] end when another gateway on the same store lets the session enter plan mode", async () => {
    const { start, modes, reasons, clock } = world({ shared: true });
    start(parent);
    modes.set(parent, PLANNING);
    clock.advance(1_000);
    await expect.poll(() => reasons(parent)).toEqual([REASON]);
  });

  it.each([
    ["held", HELD, "the session is held, so that it may only read"],
    ["in plan mode again", PLANNING, REASON],
  ])(
    "[PL-19, I01, I16] end when their session, or one above it, is %s, and so do calls under way",
    async (...given) => {
      const [_how, state, why] = given;
      const { start, begin, commit, reasons } = world();
      commit(parent, EXECUTING);
      start(child);
      start(parent);
      const [call, granted] = [begin(child), begin(parent, true)];
      commit(parent, state);
      await expect.poll(() => [reasons(child), reasons(parent), call.ended()]).toEqual([[why], [why], why]);
      expect([call.signal.aborted, granted.ended()]).toEqual([true, state === PLANNING ? undefined : why]);
    },
  );

  it("[PL-19] end with whoever approved the plan that they run under, and so do calls under way", async () => {
    const { start, begin, commit, reasons, revoke } = world();
    commit(parent, EXECUTING);
    start(parent);
    const call = begin(parent);
    const other = begin(child);
    revoke("opr_bob");
    await quiet();
    expect([reasons(parent), call.ended()]).toEqual([[undefined], undefined]);
    revoke("opr_alice");
    const why = "whoever approved the plan was revoked";
    await expect.poll(() => [reasons(parent), call.ended(), other.ended()]).toEqual([[why], why, why]);
  });

  it("[TO-09] go on while other sessions do what they like", async () => {
    const { start, commit, processes, told } = world();
    start(parent);
    start(child);
    commit(child, PLANNING);
    await expect.poll(() => processes.list(child).map((item) => item.end())).toEqual([{ ended: "aborted" }]);
    expect(processes.list(parent).map((item) => item.end())).toEqual([undefined]);
    await expect.poll(() => told.length).toBe(2);
  });
});
