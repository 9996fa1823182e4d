import { describe, expect, it } from "vitest";
import { agent, alice, coreWorld, type CoreWorld, create, gateSlice, messageId } from "../../../test/kit/core.ts";
import type { Actor } from "../../protocol/actor.ts";
import { SessionId } from "../../protocol/ids.ts";
import { Session, type SessionCommand, type SessionKind } from "../../protocol/session.ts";
import { anySlice } from "../slice.ts";

const parentId = SessionId.parse("ses_parent");
const parent: Actor = { kind: "agent", sessionId: parentId };
const system: Actor = { kind: "system", reason: "scheduler" };
const apply = (what: string): SessionCommand => ({ type: "slice.apply", slice: "gate", command: { do: what } });
const message = (n: number): SessionCommand => ({ type: "message.send", messageId: messageId(n), text: "go" });
const injection = { id: "i", kind: "scheduled_turn", text: "look", priority: 2, createdAtMs: 1 };
const wake: SessionCommand = { type: "injection.add", injection, wake: true };

/** A slice that opens its gate, and whose approved work goes on while it is open. */
const working = anySlice({
  ...gateSlice,
  describe: { continuation: ({ open }) => (open ? "work" : undefined) },
  effects: (_state, event) =>
    event.type === "gate.tell"
      ? [
          { kind: "inject", injection: { id: "nudge", kind: "plan_nudge", text: "go on", priority: 1 } },
          { kind: "request-turn", cause: "plan_nudge", continues: true },
        ]
      : [],
});

function opened(kind: SessionKind = "chat", settings: Record<string, unknown> = {}): CoreWorld {
  const world = coreWorld([working], settings);
  const below = kind === "subagent" ? { parentId } : {};
  world.must({ ...create, kind, ...below } as SessionCommand, system);
  world.must(apply("open"), system);
  return world;
}

function begin(world: CoreWorld): void {
  const turn = world.session?.turn;
  if (turn?.status !== "requested") throw new Error("no turn is asked for");
  world.must({ type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9, sole: true }, agent);
}

const on = (world: CoreWorld) => {
  const turn = world.session?.turn;
  if (turn?.status !== "running") throw new Error("no turn runs");
  return { turnId: turn.turnId, epoch: world.session?.epoch ?? 0 };
};

let calls = 0;
/** What a mutating call gets in the turn that runs: the rule that refuses it, or "claimed". */
function claim(world: CoreWorld): string {
  calls += 1;
  const callId = `call-${calls}`;
  world.must({ type: "turn.say", ...on(world), text: "", calls: [{ callId, tool: "write", args: {} }] }, agent);
  const done = world.run({ type: "call.claim", ...on(world), callId, kind: "file_edit", argsDigest: "d" }, agent);
  world.must({ type: "call.finish", ...on(world), callId, status: "ok", content: null }, agent);
  if (!("refused" in done)) return "claimed";
  const { refusal } = done.refused.details as { refusal: { rule: string } };
  return refusal.rule;
}

const finish = (world: CoreWorld) =>
  world.must({ type: "turn.finish", ...on(world), outcome: "done", message: "" }, agent);

const HELD = "unattended/held";

describe("a turn", () => {
  it("[GA-14] that a person's message or decision started may change things", () => {
    for (const command of [message(1), apply("tell"), wake]) {
      const world = opened();
      world.must(command, alice);
      begin(world);
      expect(claim(world)).toBe("claimed");
    }
  });

  it("[GA-14, GA-07] that nobody started is held at the claim itself, and told what to do instead", () => {
    const world = opened();
    world.must(wake, system);
    begin(world);
    world.must({ type: "turn.say", ...on(world), text: "", calls: [{ callId: "c", tool: "write", args: {} }] }, agent);
    expect(
      world.run({ type: "call.claim", ...on(world), callId: "c", kind: "file_edit", argsDigest: "d" }, agent),
    ).toMatchObject({
      refused: {
        details: {
          refusal: {
            tool_name: "write",
            tool_kind: "file_edit",
            rule: HELD,
            matched: "no person started this turn",
            entered_at: null,
            hint: expect.stringContaining("Describe the change"),
          },
        },
      },
    });
  });

  it.each(["cron", "heartbeat", "poller", "hook"] as const)(
    "[GA-14] of a %s session is held, whoever wrote",
    (kind) => {
      for (const actor of [system, alice]) {
        const world = opened(kind);
        world.must(message(1), actor);
        begin(world);
        expect(claim(world)).toBe(HELD);
      }
    },
  );

  it.each([
    ["cron", "claimed"],
    ["heartbeat", "claimed"],
    ["poller", HELD],
    ["hook", HELD],
  ] as const)("[GA-14] of a %s session under a plan that a person signed for it: %s", (kind, rule) => {
    const signed = anySlice({ ...gateSlice, describe: { mandate: ({ open }) => open } });
    const world = coreWorld([signed]);
    world.must({ ...create, kind } as SessionCommand, system);
    world.must(apply("open"), system);
    world.must(message(1), system);
    begin(world);
    expect(claim(world)).toBe(rule);
    world.must(apply("close"), system);
    expect(claim(world)).not.toBe("claimed");
  });

  it("[GA-14] stays what it is when another node takes it over and its state is read anew", () => {
    for (const [actor, rule] of [
      [alice, "claimed"],
      [system, HELD],
    ] as const) {
      const world = opened();
      world.must(wake, actor);
      world.session = Session.parse(JSON.parse(JSON.stringify(world.session)));
      begin(world);
      const { turnId } = on(world);
      world.must({ type: "turn.start", turnId, node: "n2", leaseUntilMs: 99, sole: true }, agent);
      world.session = Session.parse(JSON.parse(JSON.stringify(world.session)));
      expect(claim(world)).toBe(rule);
    }
  });

  it("[GA-14] in an unattended session may change things where the configuration says open", () => {
    for (const kind of ["chat", "cron"] as const) {
      const world = opened(kind, { automation: { unattended: "open" } });
      world.must(wake, system);
      begin(world);
      expect(claim(world)).toBe("claimed");
    }
  });

  it("[GA-14] is held where the setting cannot be read, or an earlier version did not record who started it", () => {
    const unreadable = opened("chat", { automation: { unattended: "maybe" } });
    unreadable.must(wake, system);
    begin(unreadable);
    expect(claim(unreadable)).toBe(HELD);
    const old = opened();
    old.must(wake, alice);
    const { turn } = old.session ?? {};
    if (old.session === undefined || turn?.status !== "requested") throw new Error("no turn is asked for");
    const { attended: _attended, ...before } = turn;
    old.session = Session.parse({ ...old.session, turn: before });
    begin(old);
    expect(claim(old)).toBe(HELD);
  });
});

describe("what waits behind a turn", () => {
  it("[GA-14] does not lend a person's presence to the turn that runs, and keeps it for its own", () => {
    const world = opened();
    world.must(wake, system);
    begin(world);
    world.must(message(1), alice);
    expect(claim(world)).toBe(HELD);
    finish(world);
    begin(world);
    expect(claim(world)).toBe("claimed");
  });

  it("[GA-14] is held when only the schedule asked for it, also after a person's words were steered in", () => {
    const world = opened();
    world.must(message(1), alice);
    begin(world);
    world.must(message(2), alice);
    world.must(wake, system);
    world.must({ type: "turn.steer", ...on(world) }, agent);
    expect(claim(world)).toBe("claimed");
    finish(world);
    begin(world);
    expect(claim(world)).toBe(HELD);
  });

  it("[GA-14] opens a held turn once a person's words are in it", () => {
    const world = opened();
    world.must(wake, system);
    begin(world);
    world.must(message(1), alice);
    world.must({ type: "turn.steer", ...on(world) }, agent);
    expect(claim(world)).toBe("claimed");
  });

  it("[GA-14] a decision that came meanwhile starts the next turn as a person's", () => {
    const world = opened();
    world.must(wake, system);
    begin(world);
    world.must(apply("tell"), alice);
    finish(world);
    begin(world);
    expect(claim(world)).toBe("claimed");
  });
});

it("[GA-14] a person who woke the session while a turn ran stands behind the next one, though they wrote nothing", () => {
  for (const [actor, rule] of [
    [alice, "claimed"],
    [system, HELD],
  ] as const) {
    const world = opened();
    world.must(wake, system);
    begin(world);
    world.must({ type: "injection.add", injection: { ...injection, id: "j" }, wake: true }, actor);
    finish(world);
    begin(world);
    expect(claim(world)).toBe(rule);
  }
});

describe("a nudge", () => {
  it("[GA-14] of a plan that is carried out keeps its unlock while that is so, and no longer", () => {
    const world = opened();
    world.must(apply("tell"), system);
    begin(world);
    expect(claim(world)).toBe("claimed");
    const shut = anySlice({
      ...gateSlice,
      guard: () => ({ allowed: true }),
      describe: { continuation: () => undefined },
    });
    const after = coreWorld([shut]);
    after.session = world.session;
    expect(claim(after)).toBe(HELD);
  });
});

describe("a sub-agent's turn", () => {
  const told: SessionCommand = { ...message(1), attended: true } as SessionCommand;

  it("[GA-14] is attended when the run that ordered it was, and only its own parent can say so", () => {
    for (const [command, actor, rule] of [
      [told, parent, "claimed"],
      [message(1), parent, HELD],
      [told, agent, HELD],
      [told, system, HELD],
    ] as const) {
      const world = opened("subagent");
      world.must(command, actor);
      begin(world);
      expect(claim(world)).toBe(rule);
    }
  });

  const lent = (n: number): SessionCommand => ({ ...message(n), lent: true }) as SessionCommand;

  it("[GA-14] is lent where the order says so, passes that on and no person, and only its own parent can say so", () => {
    for (const [command, actor, rule] of [
      [lent(1), parent, "claimed"],
      [lent(1), agent, HELD],
      [lent(1), system, HELD],
    ] as const) {
      const world = opened("subagent");
      world.must(command, actor);
      begin(world);
      world.session = Session.parse(JSON.parse(JSON.stringify(world.session)));
      expect(claim(world)).toBe(rule); // the sessions above are asked by the policy
      expect(world.session?.turn).not.toHaveProperty("attended");
    }
  });

  it("[GA-14] that is lent takes up nothing that has less behind it, and stays bound by the plan when a person joins in", () => {
    const world = opened("subagent");
    world.must(lent(1), parent);
    begin(world);
    world.must(message(2), parent);
    world.must({ ...message(3), attended: true } as SessionCommand, parent);
    world.must({ type: "turn.steer", ...on(world) }, agent);
    expect(world.session?.inbox).toMatchObject([{ id: messageId(2) }]);
    expect(world.session?.turn).toMatchObject({ lent: true, attended: true });
  });

  it("[GA-14] behind one that runs is backed by the orders that wait for it, and by nothing else", () => {
    const attended = (n: number) => ({ ...message(n), attended: true }) as SessionCommand;
    for (const [orders, by] of [
      [[message(2)], {}],
      [[message(2), lent(3)], { lent: true }],
      [[message(2), attended(3)], { attended: true }],
    ] as const) {
      const world = opened("subagent");
      world.must(message(1), parent);
      begin(world);
      for (const order of orders) world.must(order, parent);
      finish(world);
      const { status, attended: isAttended, lent: isLent } = requestedIn(world);
      expect({ status, attended: isAttended, lent: isLent }).toEqual({ status: "requested", ...by });
    }
  });

  it("[GA-14] behind one that runs is lent where a plugin that goes on for the plan above asks for it so", () => {
    const asking = anySlice({
      ...gateSlice,
      effects: (_state, event) =>
        event.type === "gate.tell" ? [{ kind: "request-turn", cause: "report", lent: true }] : [],
    });
    const world = coreWorld([asking]);
    world.must({ ...create, kind: "subagent", parentId } as SessionCommand, system);
    world.must(message(1), parent);
    begin(world);
    world.must(apply("tell"), system);
    finish(world);
    expect(requestedIn(world)).toMatchObject({ cause: "queued", lent: true });
    expect(requestedIn(world)).not.toHaveProperty("attended");
  });
});

function requestedIn({ session }: CoreWorld) {
  if (session?.turn.status !== "requested") throw new Error("no turn is asked for");
  return session.turn;
}
