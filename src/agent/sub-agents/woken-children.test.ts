import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { family, spawn, write } from "../../../test/kit/family.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";

it("[GA-14] a child that a timer wakes again does not lend its parent the person who once had it spawned", async () => {
  const made = family(
    {
      parent: [spawn("look"), answer("waiting"), answer("thanks"), write, answer("noted")],
      child: [answer("seen"), answer("seen again")],
    },
    { settings: { planMode: PlanModeSettings.parse({}) } },
  );
  await made.open();
  await made.send("look");
  await made.settle();
  const child = await made.childId();
  await made.engine.dispatch(
    child,
    {
      type: "injection.add",
      injection: { id: "i", kind: "scheduled_turn", text: "look again", priority: 2, createdAtMs: 1 },
      wake: true,
    },
    { actor: { kind: "system", reason: "scheduler" } },
  );
  await made.settle();
  expect(await made.results(sessionId)).toEqual(["sessions_spawn: ok", "write: refused"]);
  expect(existsSync(join(made.workspace, "out.txt"))).toBe(false);
});
