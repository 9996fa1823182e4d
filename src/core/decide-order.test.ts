import { describe, expect, it } from "vitest";
import { agent, alice, coreWorld, type CoreWorld, create, messageId } from "../../test/kit/core.ts";
import type { Actor } from "../protocol/actor.ts";
import { SessionId } from "../protocol/ids.ts";
import { Session, type SessionCommand } from "../protocol/session.ts";

const parentId = SessionId.parse("ses_parent");
const parent: Actor = { kind: "agent", sessionId: parentId };
const system: Actor = { kind: "system", reason: "sub-agents" };
const message = (n: number, order?: number): SessionCommand => ({
  type: "message.send",
  messageId: messageId(n),
  text: `text ${n}`,
  ...(order === undefined ? {} : { order }),
});
const stop = (order?: number): SessionCommand => ({
  type: "session.stop",
  ...(order === undefined ? {} : { order }),
});
const wake: SessionCommand = {
  type: "injection.add",
  injection: { id: "i", kind: "subagent_return", text: "it is done below", priority: 5, createdAtMs: 1 },
  wake: true,
};

function child(): CoreWorld {
  const world = coreWorld();
  world.must({ ...create, kind: "subagent", parentId } as SessionCommand);
  return world;
}

function begin(world: CoreWorld): void {
  const turn = world.session?.turn;
  if (turn?.status !== "requested") throw new Error("no turn is asked for");
  world.must({ type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 9, sole: true }, agent);
}

function finish(world: CoreWorld, outcome: "done" | "aborted" = "aborted") {
  const turn = world.session?.turn;
  if (turn?.status !== "running") throw new Error("no turn runs");
  const epoch = world.session?.epoch ?? 0;
  return world.must({ type: "turn.finish", turnId: turn.turnId, epoch, outcome, message: "" }, agent);
}

const queued = ({ session }: CoreWorld) => session?.inbox.map(({ text }) => text);

describe("a stop", () => {
  it("[SB-04] empties the queues in its own commit, so that the turn that it ends is the last one", () => {
    for (const outcome of ["aborted", "done"] as const) {
      const world = child();
      world.must(message(1, 1), parent);
      begin(world);
      world.must(message(2, 2), parent);
      world.must(wake, system);
      world.must(stop(3), system);
      expect(world.session).toMatchObject({ inbox: [], injections: [], turn: { aborting: true, again: false } });
      world.session = Session.parse(JSON.parse(JSON.stringify(world.session)));
      world.must(wake, system);
      const { outbox } = finish(world, outcome);
      expect(outbox).toMatchObject([{ kind: "report-to-parent", outcome, order: 3 }]);
      expect(world.session?.turn).toEqual({ status: "idle" });
    }
  });

  it("[SB-04] ends a turn that has not begun, and is answered by a report where nothing runs", () => {
    const asked = child();
    asked.must(message(1, 1), parent);
    expect(asked.must(stop(2), system).outbox).toMatchObject([{ outcome: "aborted", order: 2 }]);
    expect(asked.session).toMatchObject({ inbox: [], turn: { status: "idle" } });
    const unasked = child();
    expect(unasked.must(stop(2), system).outbox).toMatchObject([{ outcome: "aborted", order: 2 }]);
  });

  it("[SB-04] outlives returns, timers and old orders; a new order of the session above ends it, or a person", () => {
    for (const [command, by] of [
      [message(3, 4), parent],
      [message(3), alice],
    ] as const) {
      const world = child();
      world.must(message(1, 1), parent);
      world.must(stop(3), system);
      for (const [late, from] of [
        [wake, system],
        [message(2, 2), parent],
        [message(4), system],
        [message(5, 4), system],
      ] as const) {
        world.must(late, from);
        expect(world.session?.turn).toEqual({ status: "idle" });
      }
      world.must(command, by);
      expect(world.session?.turn).toMatchObject({ status: "requested" });
      expect(queued(world)).not.toContain("text 2");
    }
  });

  it("[SB-04, PL-12] is ended by what a person decides in the session, and by nobody else's decision", () => {
    const tell: SessionCommand = { type: "slice.apply", slice: "gate", command: { do: "tell" } };
    const world = child();
    world.must(message(1, 1), parent);
    world.must(stop(2), system);
    world.must(tell, system);
    expect(world.session).toMatchObject({ stopped: true, turn: { status: "idle" } });
    world.must(tell, alice);
    expect(world.session?.turn).toMatchObject({ status: "requested" });
    expect(world.session?.stopped).not.toBe(true);
  });

  it("[SB-04] that is carried out twice, or after a newer order, changes nothing; nobody but the gateway gives it", () => {
    const world = child();
    world.must(message(1, 1), parent);
    for (const actor of [alice, agent, parent])
      expect(world.run(stop(2), actor)).toMatchObject({ refused: { code: "PERMISSION_DENIED" } });
    world.must(stop(2), system);
    world.must(message(2, 3), parent);
    expect(world.must(stop(2), system).events).toEqual([]);
    expect(world.session?.turn).toMatchObject({ status: "requested" });
    world.must(stop(), system); // of an earlier version
    expect(world.session?.turn).toEqual({ status: "idle" });
    expect(world.must(stop(), system).events).toEqual([]);
  });
});

describe("an order of the session above", () => {
  it("[SB-01] is taken up once and in its turn; one that comes early is tried again", () => {
    const world = child();
    expect(world.run(message(2, 2), parent)).toMatchObject({ refused: { code: "SESSION_BUSY", retry: true } });
    world.must(message(1, 1), parent);
    world.must(message(2, 2), parent);
    expect(world.must(message(2, 2), parent).events).toEqual([]);
    expect(queued(world)).toEqual(["text 1", "text 2"]);
  });

  it("[SB-01] is believed of the session above alone: the number of another sender says nothing", () => {
    const world = child();
    world.must(message(1, 7), alice);
    expect(world.session?.ordered).toBeUndefined();
  });
});
