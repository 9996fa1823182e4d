import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { family, PLAN_MODE, spawn, write } from "../../../test/kit/family.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { TURN_SETTINGS, TurnSettings } from "../../protocol/settings/turn-settings.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";

const plan = (status: string) => ({ plan: [{ step: "one", status }] });

it("[GA-14] a child that an unattended turn spawned under an approved plan only reads once that plan is done", async () => {
  const made = family(
    {
      parent: [
        { calls: [{ tool: "exit_plan_mode", args: { title: "T", ...plan("pending") } }] },
        answer("I begin."),
        spawn("write when I am done"),
        { calls: [{ tool: "update_plan", args: plan("completed") }] },
        answer("done"),
        answer("noted"),
      ],
      child: [write, answer("I wrote.")],
    },
    { settings: { planMode: PLAN_MODE, [TURN_SETTINGS]: TurnSettings.parse({ autoContinue: { enabled: true } }) } },
  );
  await made.open();
  await made.plan({ type: "enter", reason: "" });
  await made.send("plan it");
  await made.settle();
  const { now } = PlanModeState.parse((await made.session()).slices["planMode"]);
  if (now.phase !== "pending") throw new Error("no plan waits");
  await made.plan({ type: "decide", approval: { action: "approve", approvalId: now.submission.approvalId } });
  await made.settle();
  expect(PlanModeState.parse((await made.session()).slices["planMode"]).now.phase).toBe("off");
  expect(await made.results(sessionId)).toEqual(["exit_plan_mode: ok", "sessions_spawn: ok", "update_plan: ok"]);
  expect(await made.results(await made.childId())).toEqual(["write: refused"]);
  expect(existsSync(join(made.workspace, "out.txt"))).toBe(false);
});
