/** A plan of five hundred steps in the page: how long from the press on its link to the picture of it. */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { STEPS_MAX } from "../src/plan-mode/protocol/plan.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { against, figure, type Group, median } from "./figure.ts";
import { withGateway } from "./gateway.ts";
import { IN_PAGE } from "./in-page.ts";

/** More than fill any screen: with this one there, the picture is whole. */
const LAST_SEEN = 60;
/** Fresh browsers; each opens the plan once for the first time. */
const BROWSERS = 7;
const LATER = 3;
const AWAIT_MS_MAX = 30_000;
export const SIZE = { width: 1_280, height: 800 };
export const LONG_PLAN_PROCESS = fileURLToPath(new URL("long-plan-process.ts", import.meta.url));

type Report = Parameters<Group>[0];

export type LongPlanPlace = { browser: Browser; usePage: (home: string) => Promise<void> };

export async function longPlans(report: Report, { browser, usePage }: LongPlanPlace): Promise<void> {
  await withGateway(
    async ({ gateway }) => {
      const person = await wireClient(gateway);
      const sessionId = await submitLongPlan(person);
      const [bare, first, later]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < BROWSERS; round += 1) {
        const context = await browser.newContext({ viewport: SIZE });
        const opened = await context.newPage();
        await opened.goto(`${gateway.url}/healthz`);
        bare.push(await bareSteps(opened));
        const { fragment } = await person.must("tokens.link", {});
        await opened.goto(`${gateway.url}/${fragment}`);
        await opened.locator("hp-sidebar button.primary:enabled").waitFor();
        await opened.goto(`${gateway.url}/sessions/${sessionId}/timeline`);
        await opened.getByRole("link", { name: "Plan", exact: true }).waitFor();
        await opened.getByText("Plan submitted").first().waitFor(); // a person reads before pressing on
        await opened.waitForLoadState("networkidle");
        const [cold = Number.NaN, ...warm] = await openings(opened);
        first.push(cold);
        later.push(...warm);
        await context.close();
      }
      report(against(median(bare), figure(`page: ${STEPS_MAX}-step plan opened, first, median`, median(first), "ms")));
      report(against(median(bare), figure(`page: ${STEPS_MAX}-step plan opened, later, median`, median(later), "ms")));
      person.close();
    },
    usePage,
    LONG_PLAN_PROCESS,
  );
}

/** The session in which the agent of `long-plan-process.ts` submitted its plan. */
export async function submitLongPlan(person: WireClient): Promise<string> {
  const { session } = await person.must("sessions.create", { title: "Long plan" });
  await person.must("sessions.subscribe", { sessionId: session.id });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tooLate = setTimeout(() => reject(new Error("the plan was not submitted")), AWAIT_MS_MAX);
  const stop = person.onEvent(({ event }) => void (event === "plan.submitted" && resolve()));
  await person.must("sessions.patch", { sessionId: session.id, planMode: "plan" });
  await person.must("chat.send", { sessionId: session.id, text: "Move the parts." });
  await promise.finally(() => clearTimeout(tooLate));
  stop();
  return session.id;
}

/** By the page's own link and back, inside of the page: from the press to the frame after the steps are there. */
const openings = (opened: Page): Promise<number[]> =>
  opened.evaluate<number[]>(`(async () => {
    ${IN_PAGE}
    const times = [];
    for (let round = 0; round < ${LATER + 1}; round += 1) {
      const startedAt = performance.now();
      deep(document, 'a[href$="/plan"]').click();
      while (deep(document, "#step-${LAST_SEEN}") === undefined) await frame();
      await frame();
      times.push(performance.now() - startedAt);
      while (deep(document, "#step-${STEPS_MAX}") === undefined) await frame();
      deep(document, 'a[href$="/timeline"]').click();
      while (deep(document, "#step-${STEPS_MAX}") !== undefined) await frame();
    }
    return times;
  })()`);

/** The same words in the same browser, all of them in the document and nothing around them. */
const bareSteps = (opened: Page): Promise<number> =>
  opened.evaluate<number>(`(async () => {
    const startedAt = performance.now();
    const list = document.createElement("ol");
    for (let n = 1; n <= ${STEPS_MAX}; n += 1) {
      const step = document.createElement("li");
      const text = document.createElement("p");
      const criteria = document.createElement("ul");
      const criterion = document.createElement("li");
      text.textContent = "Step number " + n + ": change src/part-" + n + ".ts";
      criterion.textContent = "tests pass";
      criteria.append(criterion);
      step.append(text, criteria);
      list.append(step);
    }
    document.body.append(list);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  })()`);
