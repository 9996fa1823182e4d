/** Who stands behind what a run orders of the sessions below it, and what a run is told that nobody attends (GA-14, SB-04). */
import { describe, expect, it } from "vitest";
import { agent, alice, coreWorld, type CoreWorld, create, gateSlice, messageId } from "../../../test/kit/core.ts";
import type { Actor } from "../../protocol/actor.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Session, SessionCommand, SessionKind } from "../../protocol/session.ts";
import { anySlice, type AnySlice, type Context, type Continuation, type GatedCall } from "../slice.ts";
import { backing, isAttended, isLent } from "./attendance.ts";
import { continuationOf, refuseBelowHeld, refuseHeld, refuseLent } from "./held-runs.ts";

const parentId = SessionId.parse("ses_parent");
const parent: Actor = { kind: "agent", sessionId: parentId };
const system: Actor = { kind: "system", reason: "scheduler" };
const OPEN = { automation: { unattended: "open" } };
const SET = { settings: OPEN };
const message = (n: number, more: object = {}): SessionCommand => ({
  type: "message.send",
  messageId: messageId(n),
  text: "go",
  ...more,
});
const apply = (what: string): SessionCommand => ({ type: "slice.apply", slice: "gate", command: { do: what } });
const write: GatedCall = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d" };

/** While it is open it stands for an approved plan with work left; `ring` orders something of a child, `tell` goes on. */
const ordering = anySlice({
  ...gateSlice,
  describe: { continuation: ({ open }) => (open ? "work" : undefined), mandate: ({ open }) => open },
  effects: (_state, event) => {
    if (event.type === "gate.ring")
      return [{ kind: "tell-child", childId: SessionId.parse("ses_child"), messageId: messageId(9), text: "do" }];
    return event.type === "gate.tell"
      ? [
          { kind: "inject", injection: { id: "nudge", kind: "plan_nudge", text: "go on", priority: 1 } },
          { kind: "request-turn", cause: "plan_nudge", continues: true },
        ]
      : [];
  },
});

function running(kind: SessionKind, [command, actor]: readonly [SessionCommand, Actor], settings = {}): CoreWorld {
  const world = coreWorld([ordering], settings);
  const below = kind === "subagent" ? { parentId } : {};
  world.must({ ...create, kind, ...below } as SessionCommand, system);
  world.must(apply("open"), system);
  world.must(command, actor);
  const turn = world.session?.turn;
  if (turn?.status !== "requested") throw new Error("no turn is asked for");
  world.must({ type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9, sole: true }, agent);
  return world;
}

const stored = ({ session }: CoreWorld): Session => {
  if (session === undefined) throw new Error("no session");
  return session;
};

/** What is recorded with an order that the run gives now. */
function ordered(world: CoreWorld): { attended?: unknown; lent?: unknown } {
  const [order] = world.must(apply("ring"), agent).outbox.filter(({ kind }) => kind === "tell-child");
  const { attended, lent } = order as { attended?: unknown; lent?: unknown };
  return lent === undefined ? { attended } : { attended, lent };
}

describe("an order to a session below", () => {
  const lent = [message(1, { lent: true }), parent] as const;
  const person = { attended: true };
  const nobody = { attended: false };
  const plan = { attended: false, lent: true };

  it.each([
    ["a person, where one started the turn", { kind: "chat", by: [message(1), alice], recorded: person }],
    ["nobody, where nobody did", { kind: "chat", by: [message(1), system], recorded: nobody }],
    ["the plan, where the turn goes on with it", { kind: "chat", by: [apply("tell"), system], recorded: plan }],
    ["nobody, where one run of a job was signed", { kind: "cron", by: [message(1), system], recorded: nobody }],
    [
      "a person, where the settings stand for one",
      { kind: "cron", by: [message(1), system], recorded: person, ...SET },
    ],
    ["the plan, where it was lent", { kind: "subagent", by: lent, recorded: plan }],
    ["a person, where it was lent and none is needed", { kind: "subagent", by: lent, recorded: person, ...SET }],
  ] as const)("[GA-14, SB-04] is backed by %s", (_by, given) => {
    const { kind, by, recorded, settings = {} } = { settings: undefined, ...given };
    expect(ordered(running(kind, by, settings))).toEqual(recorded);
  });

  it("[GA-14] is bound by the plan in a lent turn that a person joined", () => {
    const world = running("subagent", [message(1, { lent: true }), parent]);
    const { turn, epoch } = stored(world);
    if (turn.status !== "running") throw new Error("no turn runs");
    world.must(message(2, { attended: true }), parent);
    world.must({ type: "turn.steer", turnId: turn.turnId, epoch }, agent);
    expect(stored(world).turn).toMatchObject({ attended: true, lent: true });
    expect(ordered(world)).toEqual({ attended: false, lent: true });
  });
});

describe("a run that nobody attends", () => {
  const HINT =
    "Describe the change for your owner in your answer: what, where and why. A person decides on it and can start it.";
  const RUN_HINT =
    "Submit the change as a plan with exit_plan_mode where you have that tool: it goes to the inbox of the job's owner. Otherwise describe it in your answer: what, where and why.";
  const at = (kind: SessionKind, more: Partial<Session> = {}): Session => {
    const world = coreWorld([ordering]);
    world.must({ ...create, kind } as SessionCommand, system);
    return { ...stored(world), ...more };
  };
  const asked = (session: Session, call = write, slices: readonly AnySlice[] = [ordering]) =>
    refuseHeld(session, call, worldOf(slices));

  it.each([
    ["chat", "no person started this turn", HINT],
    ["subagent", "no person started this turn", HINT],
    ["external", "no approved plan covers it", HINT],
    ["cron", "a cron run", RUN_HINT],
    ["heartbeat", "a heartbeat run", RUN_HINT],
    ["hook", "a hook run", HINT],
  ] as const)("[GA-14, GA-07] of kind %s is told why it may only read, and what to do", (kind, matched, hint) => {
    expect(asked(at(kind))).toEqual({
      tool_name: "write",
      tool_kind: "file_edit",
      hint,
      entered_at: null,
      entered_reason: null,
      rule: "unattended/held",
      matched,
      message: `write was not run: nobody attends this run, so it may only read. ${hint}`,
    });
  });

  it("[GA-14] may read", () => {
    expect(asked(at("chat"), { ...write, effect: "read" })).toBeUndefined();
  });

  it("[GA-14] is held beside plugins that know of no plan, and before its turn has begun", () => {
    const silent = anySlice(gateSlice);
    for (const kind of ["chat", "cron", "external"] as const)
      expect(asked(at(kind), write, [silent])).toHaveProperty("rule", "unattended/held");
    const world = coreWorld([ordering]);
    world.must(create, system);
    world.must(apply("open"), system);
    world.must(apply("tell"), system);
    expect(stored(world).turn).toMatchObject({ status: "requested", continues: true });
    expect(asked(stored(world))).toHaveProperty("rule", "unattended/held");
  });

  it("[GA-14] holds what works below it, whoever writes there, unless the settings stand for a person", () => {
    expect(refuseBelowHeld(at("cron"), write, {})).toHaveProperty("matched", "a cron run");
    expect(refuseBelowHeld(at("chat"), write, {})).toBeUndefined();
    expect(refuseBelowHeld(at("cron"), write, OPEN)).toBeUndefined();
  });

  it("[GA-14] and is lent a plan stops with the work of that plan", () => {
    const lent = stored(running("subagent", [message(1, { lent: true }), parent]));
    const own = stored(running("subagent", [message(1, { attended: true }), parent]));
    expect(refuseLent(lent, write, { isWorkLeft: false, settings: {} })).toMatchObject({
      rule: "unattended/held",
      matched: "no approved plan above has work left",
    });
    expect(refuseLent(lent, write, { isWorkLeft: true, settings: {} })).toBeUndefined();
    expect(refuseLent(lent, { ...write, effect: "read" }, { isWorkLeft: false, settings: {} })).toBeUndefined();
    expect(refuseLent(lent, write, { isWorkLeft: false, settings: OPEN })).toBeUndefined();
    expect(refuseLent(own, write, { isWorkLeft: false, settings: {} })).toBeUndefined();
  });
});

const worldOf = (slices: readonly AnySlice[]) => {
  const context: Context = { nowMs: 1, actor: agent, fresh: [], settings: {} };
  return { context, slices: new Map(slices.map((slice) => [slice.name, slice])) };
};

describe("what an agent that stopped should do", () => {
  const saying = (name: string, says: Continuation): AnySlice =>
    anySlice({ ...gateSlice, name, describe: { continuation: () => says } });
  const silent = anySlice({ ...gateSlice, name: "silent", describe: {} });

  it("[AU-05] is to wait where anybody says so, to go on where somebody has work, and nothing otherwise", () => {
    const world = coreWorld();
    world.must(create);
    const answer = (...slices: AnySlice[]) => continuationOf(stored(world), worldOf([silent, ...slices]));
    expect(answer(saying("one", "work"), saying("two", "hold"))).toBe("hold");
    expect(answer(saying("one", undefined), saying("two", "work"))).toBe("work");
    expect(answer(saying("one", undefined))).toBeUndefined();
  });
});

describe("who stands behind a turn", () => {
  it("[GA-14] is never a word of somebody who is not above the session", () => {
    const world = running("chat", [message(1, { attended: true, lent: true }), system]);
    expect(stored(world).turn).not.toHaveProperty("attended");
    expect(stored(world).turn).not.toHaveProperty("lent");
  });

  it("[GA-14] stands there from its start on, and only where it runs for a session above", () => {
    const lent = stored(running("subagent", [message(1, { lent: true }), parent]));
    const { parentId: _above, ...alone } = lent;
    const waiting = { status: "requested", turnId: "trn_1", cause: "", atMs: 1, attended: true, lent: true } as const;
    // oxlint-disable-next-line no-unsafe-type-assertion -- an id that no code reads here
    const before = { ...lent, turn: waiting as unknown as Session["turn"] };
    expect([isLent(lent), isLent(alone), isLent(before)]).toEqual([true, false, false]);
    expect(isAttended(before, {})).toBe(false);
  });

  it("[GA-14] is stored only where it is so, as in earlier versions", () => {
    expect(backing({ attended: false, continues: false, lent: false })).toStrictEqual({});
    expect(backing({ attended: true, continues: true, lent: true })).toStrictEqual({
      attended: true,
      continues: true,
      lent: true,
    });
  });
});
