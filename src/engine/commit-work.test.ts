/** Who is told that a commit left work: on one machine nobody looks by the clock, so each such commit must say so itself. */
import { expect, it } from "vitest";
import { create } from "../../test/kit/core.ts";
import { engineWorld, say, sid } from "../../test/kit/engine.ts";
import { quiet } from "../../test/kit/fake-clock.ts";
import type { SessionCommand } from "../protocol/session.ts";
import { createCommitWork } from "./commit-work.ts";
import type { PendingWork } from "./outbox.ts";

function working() {
  const world = engineWorld();
  const done: string[] = [];
  const run = async ({ sessionId, effect }: PendingWork): Promise<"done"> => {
    done.push(`${sessionId} ${effect.kind}${effect.kind === "report-to-parent" ? ` ${effect.outcome}` : ""}`);
    return "done";
  };
  const { store, clock, engine } = world;
  const report = (error: unknown): never => {
    throw error;
  };
  createCommitWork({
    store,
    clock,
    engine,
    shared: false,
    node: "n1",
    run,
    report,
    workerFor: () => undefined,
  }).begin();
  return { ...world, done };
}

it("[SB-04, I21] a session that rests and is stopped from above reports it at once, also when nothing else happens", async () => {
  const { engine, must, open, done } = working();
  const parentId = await open("parent");
  const child = sid("child");
  await must(child, { ...create, sessionId: child, parentId, kind: "subagent" } as SessionCommand);
  await quiet();
  const stopped = await engine.dispatch(
    child,
    { type: "session.stop" },
    { actor: { kind: "system", reason: "above" } },
  );
  expect(stopped.ok).toBe(true);
  await quiet();
  expect(done).toEqual(["ses_child report-to-parent aborted"]);
});

it("[I21] a turn that was requested begins with the commit that requested it", async () => {
  const { must, open, done } = working();
  await must(await open("one"), say(1));
  await quiet();
  expect(done).toEqual(["ses_one run-turn"]);
});
