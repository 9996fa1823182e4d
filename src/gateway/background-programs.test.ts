import { describe, expect, it, onTestFinished } from "vitest";
import { coreWorld, create } from "../../test/kit/core.ts";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import { systemClock } from "../engine/clock.ts";
import type { Sessions } from "../plugins/sessions.ts";
import { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { createProcessTable } from "../tools/builtin/exec/process-table.ts";
import { watchBackground } from "./background-programs.ts";

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
    slices: { planMode: { now: modes.get(id) ?? { mode: "normal" } } },
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
  const watching = watchBackground({ processes, sessions, clock, shared, report: (error) => void reports.push(error) });
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
  return { processes, modes, told, reports, start, commit, reasons, clock };
}

const PLANNING = { mode: "plan" };
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
