import { expect, it } from "vitest";
import { CycleId, PlanId, SessionId } from "../../protocol/ids.ts";
import { CliError } from "../cli-error.ts";
import { changedByPlan } from "./changed-by-plan.ts";

const plan = {
  planId: PlanId.parse("pln_1"),
  sessionId: SessionId.parse("ses_1"),
  cycleId: CycleId.parse("cyc_1"),
  outcome: "completed",
} as const;

const refusing = (code: string) => ({
  call: async () => Promise.reject(new CliError({ exit: "failed", message: "There is no such session.", code })),
});

it("[BY-09, ST-02] a session that is deleted while its plan is opened takes the record along, and that is said", async () => {
  const gone = { why: "Its session was deleted, and the record of what it changed with it." };
  expect(await changedByPlan(refusing("SESSION_NOT_FOUND"), plan)).toEqual({ changes: null, undo: gone });
  expect(await changedByPlan(refusing("SESSION_NOT_FOUND"), { ...plan, outcome: "rejected" })).toBeUndefined();
  await expect(changedByPlan(refusing("CHANGES_UNREADABLE"), plan)).rejects.toThrow("no such session");
});
