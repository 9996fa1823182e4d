/** A plan of five hundred steps in the editor: until it can be written in, until a letter is seen, until the edition is there. */
import type { Browser, Page } from "playwright-core";
import { STEPS_MAX } from "../src/plan-mode/protocol/plan.ts";
import type { GatewayChild } from "../test/kit/gateway-child.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { against, figure, type Group, median } from "./figure.ts";
import { withGateway } from "./gateway.ts";
import { IN_PAGE } from "./in-page.ts";
import { LONG_PLAN_PROCESS, type LongPlanPlace, SIZE, submitLongPlan } from "./long-plan.ts";

/** Fresh browsers, each with a plan of its own. */
const BROWSERS = 5;
const LETTERS = 8;
/** The step that is written in: far enough down that nothing of it is drawn first. */
const WRITTEN = 250;

type Times = { bareMs: number; openMs: number; letterMs: number[]; confirmMs: number; signedMs: number };
type Place = { browser: Browser; gateway: GatewayChild; person: WireClient };

export async function longPlanEdits(report: Parameters<Group>[0], { browser, usePage }: LongPlanPlace): Promise<void> {
  const times: Times[] = [];
  const edit = async ({ gateway }: Pick<Place, "gateway">): Promise<void> => {
    const person = await wireClient(gateway);
    for (let round = 0; round < BROWSERS; round += 1) times.push(await oneEdit({ browser, gateway, person }));
    person.close();
  };
  await withGateway(edit, usePage, LONG_PLAN_PROCESS);
  const bareMs = median(times.map((one) => one.bareMs));
  const tell = (what: string, values: number[]): void =>
    report(against(bareMs, figure(`page: ${STEPS_MAX}-step plan, ${what}, median`, median(values), "ms")));
  tell(
    "edit → can be written in",
    times.map((one) => one.openMs),
  );
  tell(
    "letter → seen",
    times.flatMap((one) => one.letterMs),
  );
  tell(
    "approve edited → changes shown",
    times.map((one) => one.confirmMs),
  );
  tell(
    "signed → new revision shown",
    times.map((one) => one.signedMs),
  );
}

async function oneEdit({ browser, gateway, person }: Place): Promise<Times> {
  const sessionId = await submitLongPlan(person);
  const context = await browser.newContext({ viewport: SIZE });
  const opened = await context.newPage();
  await opened.goto(`${gateway.url}/healthz`);
  const bareMs = await bareFields(opened);
  const { fragment } = await person.must("tokens.link", {});
  await opened.goto(`${gateway.url}/${fragment}`);
  await opened.locator("hp-sidebar button.primary:enabled").waitFor();
  await opened.goto(`${gateway.url}/sessions/${sessionId}/plan`);
  await opened.locator(`#step-${STEPS_MAX}`).waitFor({ state: "attached" });
  await opened.locator("hp-decision-bar .sign:enabled").waitFor(); // the buttons rest for a moment
  await opened.waitForLoadState("networkidle");
  const times = await opened.evaluate<Omit<Times, "bareMs">>(`(async () => {
    ${IN_PAGE}
    const timed = async (press, seen) => {
      const startedAt = performance.now();
      press();
      await until(seen);
      await frame();
      return performance.now() - startedAt;
    };
    const field = (n) => inside("hp-step-editor", "textarea.step-field", (one) => one.ariaLabel === "Text of step " + n);
    const openMs = await timed(
      () => inside("hp-decision-bar", "button", named("Edit steps")).click(),
      () => { const first = field(1); return first?.matches(":focus") ? first : undefined; },
    );
    const written = await until(() => field(${WRITTEN}));
    written.scrollIntoView({ block: "center" });
    written.focus();
    await frame();
    const letterMs = [];
    for (let n = 0; n < ${LETTERS}; n += 1) {
      const wanted = written.value + "x";
      letterMs.push(await timed(
        () => { written.setSelectionRange(wanted.length, wanted.length); document.execCommand("insertText", false, "x"); },
        () => (field(${WRITTEN})?.value === wanted ? true : undefined),
      ));
      await frame();
    }
    const confirmMs = await timed(
      () => inside("hp-step-editor", ".foot button", named("Approve edited plan")).click(),
      () => inside("hp-confirm-edited", "button", named("Approve edited plan")),
    );
    const [editor, review] = [hostOf("hp-step-editor"), hostOf("hp-plan-review")];
    const status = () => [...review.shadowRoot.querySelectorAll(".status")];
    const signedMs = await timed(
      () => inside("hp-confirm-edited", "button", named("Approve edited plan")).click(),
      () => {
        const isThere = status().some((one) => /Revision 2 of 2/.test(one.textContent));
        return isThere && !editor.isConnected && deep(document, "#step-60") !== undefined ? true : undefined;
      },
    );
    return { openMs, letterMs, confirmMs, signedMs };
  })()`);
  await context.close();
  return { bareMs, ...times };
}

/** As many fields with the same words, and nothing around them. */
const bareFields = (opened: Page): Promise<number> =>
  opened.evaluate<number>(`(async () => {
    const startedAt = performance.now();
    for (let n = 1; n <= ${STEPS_MAX}; n += 1) {
      for (const words of ["Step number " + n + ": change src/part-" + n + ".ts", "tests pass"]) {
        const field = document.createElement("textarea");
        field.value = words;
        document.body.append(field);
      }
    }
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  })()`);
