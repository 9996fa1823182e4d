/** One screen about one plan: who approved exactly this text, what it changed, how we know that it worked, how it is undone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ApprovalId, PlanId, type SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { ScriptStep } from "../kit/scripted-model.ts";
import { tooWide } from "./every-view.ts";
import { browserTest, openWorld, PATIENT, type World } from "./page-world.ts";
import { uglyPlan } from "./ugly-plan.ts";

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const CRITERIA = ["The file says blue", "It looks right", "It was tried on the old wall"];
const PAINT = {
  step: "Write down the colour in shed.txt",
  acceptanceCriteria: [
    { criterion: CRITERIA[0], proof: { by: "command", command: "grep blue shed.txt" } },
    { criterion: CRITERIA[1], proof: { by: "person" } },
    { criterion: CRITERIA[2], proof: { by: "command", command: "sh try.sh" } },
  ],
};
const CLEAN = { step: "Clean the brushes" };
const submit = (args: unknown): ScriptStep => ({ calls: [{ tool: "exit_plan_mode", args: args as JsonObject }] });
const update = (...plan: object[]): ScriptStep => ({
  calls: [{ tool: "update_plan", args: { merge: true, plan } as never }],
});

/** Two revisions, the second approved, carried out and proven; then the session goes on to another plan. */
async function painted(): Promise<{ world: World; sessionId: SessionId; first: PlanId; second: PlanId }> {
  const world = await openWorld({
    planMode: { defaultActive: true },
    files: { "shed.txt": "red\nwooden\n" },
    script: [
      submit({ title: "Paint the shed red", plan: [CLEAN] }),
      submit({ title: "Paint the shed blue", summary: "Blue, as you *asked*.", plan: [PAINT, CLEAN] }),
      update({ step: PAINT.step, status: "in_progress" }),
      { calls: [{ tool: "write", args: { path: "shed.txt", content: "blue\nwooden\n" } }] },
      { calls: [{ tool: "exec", args: { command: "grep blue shed.txt" } }] },
      { say: "I wait for you." },
      { say: "And for the other one." },
      update(
        { step: PAINT.step, status: "completed", verifiedCriteria: CRITERIA },
        { step: CLEAN.step, status: "completed" },
      ),
      { say: "Painted." },
      submit({ title: "Dig a well", plan: [{ step: "Find water" }] }),
      { say: "Later." },
    ],
  });
  const { person } = world;
  const sessionId = (await person.must("sessions.create", { title: "The shed" })).session.id;
  const say = (text: string) => person.must("chat.send", { sessionId, text });
  await say("Paint the shed.");
  const first = await decided(world, { sessionId }, { action: "reject", feedback: "Blue, please." });
  const second = await decided(world, { sessionId, before: first }, { action: "approve" });
  await restsAfter(world, sessionId, 6);
  await say("/plan confirm 1.2");
  await restsAfter(world, sessionId, 7);
  await say("/plan waive 1.3 The old wall is gone");
  await restsAfter(world, sessionId, 9);
  await person.must("sessions.patch", { sessionId, planMode: "plan" });
  await say("Dig a well.");
  await world.model.asked(10);
  return { world, sessionId, first, second };
}

const restsAfter = async ({ model, person }: World, sessionId: SessionId, requests: number): Promise<void> => {
  await model.asked(requests);
  const status = async () => (await person.must("sessions.get", { sessionId })).session.turn.status;
  await expect.poll(status, PATIENT).toBe("idle");
};

/** Decides on the next plan that waits there, and answers with its id. */
async function decided(
  { person }: World,
  { sessionId, before }: { sessionId: SessionId; before?: PlanId },
  decision: { action: "approve" } | { action: "reject"; feedback: string },
): Promise<PlanId> {
  const newest = async () => (await person.must("plans.list", { sessionId, limit: 1 })).plans[0];
  await expect.poll(async () => (await newest())?.planId ?? before, PATIENT).not.toBe(before);
  const { planId, approvalId } = (await newest()) ?? {};
  const planApproval = { ...decision, approvalId: ApprovalId.parse(approvalId) };
  await person.must("sessions.patch", { sessionId, planApproval });
  return PlanId.parse(planId);
}

const part = (page: Page, name: string) => page.locator("hp-record-view").getByRole("region", { name });

const decidedBy = (page: Page): Promise<string> => page.locator("hp-record-view .decisions p").first().innerText();

describe("the record of a plan", () => {
  browserTest(
    "[ST-02, BY-01, UI-11, BY-04, BY-09] answers the four questions about a plan that is no longer the newest, and undoes it",
    async () => {
      const { world, first } = await painted();
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
      await page.goto(`${world.url}/plans`);
      const entry = page.locator("li.plan").filter({ hasText: "Paint the shed blue" });
      await entry.getByRole("link", { name: "Full record" }).click();

      const who = part(page, "Who approved exactly this text?");
      await expect.poll(() => decidedBy(page), PATIENT).toMatch(/^local: approved · .+ · in a terminal$/);
      await who.getByText(/^This is the text that was decided on/).waitFor();
      await who.getByText("Read the text as it was submitted").click();
      await who.getByText("Blue, as you").waitFor();
      const changed = part(page, "What did it change?");
      await changed.getByText("Files changed: 1").waitFor();
      await changed.getByText("shed.txt", { exact: true }).click();
      await changed.getByText("+ blue").waitFor();
      const proven = part(page, "How do we know that it worked?");
      await proven.getByText("2 of 2 done").waitFor();
      await proven.getByText("exit code 0", { exact: true }).waitFor();
      await proven.getByText("local confirmed it").waitFor();
      await proven.getByText("local waived the proof: The old wall is gone").waitFor();
      await shot("record-wide");
      await expectAccessible();

      await page.setViewportSize(NARROW);
      await page.emulateMedia({ colorScheme: "dark" });
      await expectNoSidewaysScrolling();
      expect(await tooWide(page)).toEqual([]);
      await shot("record-390-dark");
      await part(page, "How do I undo it?").getByRole("button", { name: "Roll back the plan" }).click();
      const dialog = page.locator("hp-rollback-dialog");
      await dialog.getByText("shed.txt", { exact: true }).waitFor();
      await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
      await part(page, "How do I undo it?").getByText("It cannot be undone: There is nothing to put back.").waitFor();
      await changed.getByText(/^local rolled back the plan/).waitFor();
      expect(readFileSync(join(world.workspace, "shed.txt"), "utf8")).toBe("red\nwooden\n");

      await page.locator("hp-record-view").getByRole("link", { name: "Revision 1" }).click();
      await expect.poll(() => decidedBy(page), PATIENT).toMatch(/^local: sent back · .+ · in a terminal$/);
      await who.getByText("Blue, please.").waitFor();
      await changed.getByText("This revision was not carried out, so it changed nothing.").waitFor();
      await who.getByRole("link", { name: "Revision 2 was approved instead." }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/plans/${first}`);
      await expectAccessible();
    },
  );

  browserTest(
    "[ST-02, BY-09] says why a plan cannot be undone once its session is deleted, and is there at once",
    async () => {
      const { world, sessionId, second } = await painted();
      const { page, shot } = await world.openPage({ size: NARROW });
      await page.goto(`${world.url}/sessions/${sessionId}/plan`);
      await page.getByRole("link", { name: "Approval, changes, proof, undo" }).click();
      await part(page, "Who approved exactly this text?")
        .getByText("Nobody has decided about this revision.")
        .waitFor();
      await world.person.must("sessions.delete", { sessionId });
      await page.goto(`${world.url}/plans/${second}`); // nobody waits for the library to notice
      const gone = "Its session was deleted, and the record of what it changed with it.";
      await part(page, "What did it change?").getByText(gone).waitFor();
      await part(page, "How do I undo it?").getByText(`It cannot be undone: ${gone}`).waitFor();
      await part(page, "How do we know that it worked?").getByText("exit code 0", { exact: true }).waitFor();
      expect(await page.getByRole("link", { name: "To its session" }).count()).toBe(0);
      await shot("record-deleted-390");
      await page.goto(`${world.url}/plans/pln_none`);
      await page.getByText("There is no such plan.").waitFor();
    },
  );

  browserTest(
    "[UI-07] holds a plan with everything that pushes a page apart, from the pane beside the conversation",
    async () => {
      const world = await openWorld({
        planMode: { defaultActive: true },
        script: [submit(uglyPlan()), { say: "I begin." }],
      });
      const { session } = await world.person.must("sessions.create", { title: "Ugly" });
      await world.person.must("chat.send", { sessionId: session.id, text: "Do it." });
      await decided(world, { sessionId: session.id }, { action: "approve" });
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({ size: WIDE });
      await page.goto(`${world.url}/sessions/${session.id}`);
      await page.locator("hp-plan-pane").getByRole("link", { name: "Approval, changes, proof, undo" }).click();
      const who = part(page, "Who approved exactly this text?");
      await who.getByText("Read the text as it was submitted").click();
      await who.getByText("A table of twenty columns").waitFor();
      await who.getByText(/^This is the text that was decided on/).waitFor();
      await expectAccessible();
      expect(await tooWide(page)).toEqual([]);
      await page.setViewportSize(NARROW);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await tooWide(page)).toEqual([]);
      await expectNoSidewaysScrolling();
      await shot("record-ugly-390-dark");
    },
  );
});
