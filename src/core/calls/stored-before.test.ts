import type { Refused } from "../../protocol/refusal.ts";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { coreWorld } from "../../../test/kit/core.ts";
import { Actor } from "../../protocol/actor.ts";
import { Session, SessionCommand, SessionEvent } from "../../protocol/session.ts";

/** Commands of a turn, their answers and the session after each, written by the version that knew no callers. */
const RECORDED = new URL("../../../test/kit/recorded/turn-before-callers.json", import.meta.url);
const Moment = z.object({ command: z.json(), actor: Actor, answer: z.json(), session: z.json() });
const moments = z.array(Moment).parse(JSON.parse(readFileSync(RECORDED, "utf8")));
/** Who stands behind a turn is recorded since; it stands beside what was there, and changes none of it. */
const SINCE = new Set(["attended", "continues", "againAttended", "againContinues", "reported"]);
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, field: unknown) => (SINCE.has(key) ? undefined : field)));

/** A refusal without who refused, which was not said then. */
function saidBefore({ refused }: Refused): Refused {
  if (refused.details === undefined) return { refused };
  const { by: _by, ...details } = refused.details;
  return { refused: { ...refused, details } };
}

describe("what was stored before there were callers", () => {
  it("is read as it is: sessions, commands and events", () => {
    expect(moments.length).toBeGreaterThan(10);
    for (const { command, session, answer } of moments) {
      expect(Session.parse(session)).toEqual(session);
      expect(SessionCommand.parse(command)).toEqual(command);
      const { events = [] } = z.object({ events: z.array(z.json()).optional() }).parse(answer);
      for (const event of events) expect(SessionEvent.parse(event)).toEqual(event);
    }
  });

  it("[GA-12, RT-03] is decided on as before: the same events, audit facts, answers and states", () => {
    const world = coreWorld();
    for (const { command, actor, answer, session } of moments) {
      const done = world.run(SessionCommand.parse(command), actor);
      const now =
        "refused" in done
          ? saidBefore(done)
          : { events: done.events, audit: done.audit, reply: done.reply, outbox: done.outbox };
      expect(asJson(now)).toEqual(answer);
      expect(asJson(world.session)).toEqual(session);
      world.nowMs += 1_000;
    }
  });

  it("[I15] opens: a turn that was left with a claimed call is taken over, and the call is unknown", () => {
    const world = coreWorld();
    world.session = Session.parse(moments.at(-1)?.session);
    const { turn } = world.session;
    if (turn.status !== "running") throw new Error("no turn runs in it");
    world.nowMs = 99_000;
    const { turnId } = turn;
    const { events } = world.must({ type: "turn.start", turnId, node: "n2", leaseUntilMs: 120_000, sole: false });
    expect(events.flatMap((event) => (event.type === "call.closed" ? [[event.callId, event.status]] : []))).toEqual([
      ["c4", "unknown"],
    ]);
  });
});
