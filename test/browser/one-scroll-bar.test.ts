/** The window itself never scrolls: lists and texts scroll in their own places, however long they are. */
import { expect } from "vitest";
import { EVERY_SIZE, beyondWindow } from "./window-size.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

const STEPS = 60;
const SESSIONS = 45;
const TALKS = 12;

const plan = Array.from({ length: STEPS }, (_, at) => ({
  step: `Move part ${at + 1} of the parser`,
  status: "pending",
  acceptanceCriteria: [`part ${at + 1} is there`],
}));
const submit = { calls: [{ tool: "exit_plan_mode", args: { title: "Sixty parts", plan } }] };

browserTest("[UI-01] the page is as high as the window, with long conversations, plans and lists", async () => {
  let asked = 0;
  const world = await openWorld({
    planMode: { defaultActive: true },
    script: () => (++asked > SESSIONS * 2 ? { say: [`Answer ${asked}.\n\n`.repeat(30)] } : submit),
  });
  const sessions: string[] = [];
  for (let at = 0; at < SESSIONS; at++) {
    const { session } = await world.person.must("sessions.create", { title: `Session ${at}` });
    await world.person.must("chat.send", { sessionId: session.id, text: "go" });
    sessions.push(session.id);
  }
  const waiting = async () => (await world.person.must("sessions.list", { waiting: true, limit: 100 })).sessions.length;
  await expect.poll(waiting, PATIENT).toBe(SESSIONS);
  asked = SESSIONS * 2;
  const long = sessions.at(-1) ?? "";
  for (let at = 0; at < TALKS; at++) {
    await world.person.must("chat.send", { sessionId: long, text: `message ${at}` });
    await expect.poll(() => asked, PATIENT).toBe(SESSIONS * 2 + at + 1);
  }
  const { page } = await world.openPage();
  const inSession = ["", "/plan", "/run", "/timeline"].map((view) => `sessions/${long}${view}`);
  for (const size of EVERY_SIZE) {
    await page.setViewportSize(size);
    for (const place of ["", ...inSession, "plans", "inbox", "audit", "settings"]) {
      await page.goto(`${world.url}/${place}`);
      await page
        .getByText(/Sixty parts|Session 4|Settings|Audit/)
        .first()
        .waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      expect([size.width, place, await beyondWindow(page)]).toEqual([size.width, place, []]);
    }
  }
});
