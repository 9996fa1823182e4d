/** What a person sees before signing, signing only some steps, and editing what steps declare. */
import { describe, expect } from "vitest";
import { ApprovalId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { browserTest, LONG_MS_MAX, openWorld, PATIENT, type World } from "./page-world.ts";
import { realisticPlan } from "./realistic-plans.ts";

const payments = realisticPlan("payments");
const PLAN: JsonObject = {
  title: payments.title,
  ...(payments.summary === undefined ? {} : { summary: payments.summary }),
  plan: [
    {
      step: "Write `services/ledger/split.ts`",
      scope: {
        paths: ["services/ledger/", "docs/ledger.md", "config/ledger.yaml", "test/ledger/", "scripts/split.sh"],
        commands: ["npm test"],
        hosts: ["ledger.example"],
      },
      acceptanceCriteria: ["The split is _exact_"],
    },
    { step: "Backfill the **old** rows" },
    { step: "Drop the table `ledger_old`" },
    { step: "Tell the team" },
  ],
};

async function waitingWorld(): Promise<{ world: World; sessionId: string; address: string }> {
  const world = await openWorld({
    planMode: { defaultActive: true },
    script: [{ calls: [{ tool: "exit_plan_mode", args: PLAN }] }],
  });
  const { session } = await world.person.must("sessions.create", { title: "Ledger" });
  await world.person.must("chat.send", { sessionId: session.id, text: "Split it." });
  const waiting = async () => (await world.person.must("sessions.list", { waiting: true })).sessions.length;
  await expect.poll(waiting, PATIENT).toBe(1);
  return { world, sessionId: session.id, address: `${world.url}/sessions/${session.id}/plan` };
}

describe("before signing", { timeout: LONG_MS_MAX }, () => {
  browserTest(
    "[UI-02, BY-05] one look says what is touched and open; some steps are signed, others skipped",
    async () => {
      const { world, address } = await waitingWorld();
      const { sessions } = await world.person.must("sessions.list", { waiting: true });
      const approvalId = ApprovalId.parse(sessions[0]?.waiting?.id);
      const [{ id: sessionId } = { id: undefined }] = sessions;
      if (sessionId === undefined) throw new Error("nothing waits");
      const planNote = { action: "add" as const, approvalId, anchor: { on: "plan" as const }, text: "Why now?" };
      await world.person.must("sessions.patch", { sessionId, planNote });
      const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
        size: { width: 390, height: 844 },
      });
      await page.goto(address);
      const glance = page.getByRole("region", { name: "Before you sign" });
      await glance.getByText("Files that it changes: 5").waitFor();
      await glance.getByText("ledger.example").waitFor();
      await glance.getByText("Steps that cannot be undone, without a way back: 3.").waitFor();
      await glance.getByText("1 open note").waitFor();
      await glance.getByText("One signature is enough.").waitFor();
      await shot("before-signing-390");
      await expectNoSidewaysScrolling();
      await glance.getByRole("button", { name: "Sign only some steps" }).click();
      const dialog = page.locator("hp-step-picker");
      await dialog.getByRole("checkbox", { name: "Write services/ledger/split.ts" }).check();
      await dialog.getByRole("checkbox", { name: "Backfill the old rows" }).check();
      await dialog.getByRole("checkbox", { name: "Skip the steps that are not chosen, for good" }).check();
      await shot("step-picker-390");
      await expectAccessible();
      await dialog.getByRole("button", { name: "Accept steps 1–2" }).click();
      await dialog.waitFor({ state: "detached" });
      const state = async () => {
        const { session } = await world.person.must("sessions.get", { sessionId });
        const card = session.cards?.find(({ kind }) => kind === "approval");
        return card?.kind === "approval" ? [card.state, ...card.steps.map(({ status }) => status)] : [];
      };
      await expect.poll(state, PATIENT).toEqual(["approved", "pending", "pending", "cancelled", "cancelled"]);
    },
  );

  browserTest("[PL-17, BY-02, BY-04] what steps declare is edited beside them, and read as it will look", async () => {
    const { world, address } = await waitingWorld();
    const { page, shot, expectAccessible, expectNoSidewaysScrolling } = await world.openPage({
      size: { width: 390, height: 844 },
    });
    await page.goto(`${address}?edit=steps`);
    const first = page.locator(".edited-step").first();
    await first.getByText("Touches, order, proof (7)").click();
    await first.getByRole("textbox", { name: "Commands (one per line)" }).fill("npm test\nnpm run lint");
    await first.getByRole("combobox", { name: "What proves: The split is _exact_" }).selectOption("A person's word");
    await first.getByRole("checkbox", { name: /^Checkpoint/ }).check();
    const second = page.locator(".edited-step").nth(1);
    await second.getByText("Touches, order, proof").click();
    await second.getByRole("textbox", { name: "Comes after steps, by number" }).fill("1");
    await page.getByRole("button", { name: "Preview" }).click();
    expect(await second.locator(".preview strong").textContent()).toBe("old");
    await shot("editor-declared-390");
    await expectNoSidewaysScrolling();
    await expectAccessible();
    await page.getByRole("button", { name: "Approve edited plan" }).click();
    const dialog = page.locator("hp-confirm-edited");
    await dialog.getByRole("button", { name: "Approve edited plan" }).click();
    await dialog.waitFor({ state: "detached" });
    const { plans } = await world.person.must("plans.list", {});
    const [step, other] = plans[0]?.body.plan ?? [];
    expect(step).toMatchObject({
      scope: { commands: ["npm test", "npm run lint"] },
      checkpoint: true,
      proof: [{ by: "person", criterion: "The split is _exact_" }],
    });
    expect(other?.dependsOn).toEqual([step?.id]);
  });
});
