/** Checks that hold for every view alike, made inside of the page. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page has to be inside of what is sent there */
import type { Page } from "playwright-core";
import { APART } from "../kit/all-texts.ts";

/** Elements that people scroll sideways on purpose, each by itself and reachable by keyboard. */
const MAY_SCROLL = "pre, table, .wide, .places, .graph, [role=tablist], textarea, input, select";

/** What is wider than the window, or makes a view scroll sideways; by its name. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate((mayScroll) => {
    const found: string[] = [];
    const nameOf = (element: Element): string =>
      `${element.localName}.${element.getAttribute("class") ?? ""} “${element.textContent?.trim().slice(0, 40) ?? ""}”`;
    const isHidden = (element: Element): boolean =>
      getComputedStyle(element).display === "none" || element.matches(".unseen, [popover], dialog");
    const scrolls = (element: Element): boolean =>
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1;
    const mayBeCut = (element: Element): boolean =>
      element.matches(`${mayScroll}, svg, progress`) || getComputedStyle(element).textOverflow === "ellipsis";
    const sticksOut = ({ width, right }: DOMRect): boolean => width > 0 && right > innerWidth + 1;
    const look = (root: ParentNode, isCut: boolean): void => {
      for (const element of [...root.children].filter((child) => !isHidden(child))) {
        if (scrolls(element) && !element.matches(mayScroll)) found.push(`scrolls: ${nameOf(element)}`);
        const cuts = isCut || mayBeCut(element);
        if (!cuts && sticksOut(element.getBoundingClientRect())) found.push(`sticks out: ${nameOf(element)}`);
        for (const inner of [element.shadowRoot, element]) if (inner !== null) look(inner, cuts);
      }
    };
    look(document.body, false);
    if (document.documentElement.scrollWidth > innerWidth) found.push("the document");
    return found.slice(0, 10);
  }, MAY_SCROLL);
}

/** A text that is missing shows its name instead. */
export const NAME_OF_A_TEXT = new RegExp(`^(?:app|attachments|chat|parts|${APART.join("|")})\\.\\w+$`);

export type Stop = { name: string; isSeen: boolean; hasRing: boolean };

/** Every stop of the Tab key from the beginning of the page until it leaves it. */
export async function tabStops(page: Page, max = 150): Promise<Stop[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const stops: Stop[] = [];
  for (let n = 0; n < max; n += 1) {
    await page.keyboard.press("Tab");
    const stop = await stopNow(page);
    if (stop === undefined) return stops;
    stops.push(stop);
  }
  throw new Error(`the Tab key does not come to an end within ${max} stops`);
}

/** Undefined once the keyboard has left the page. */
const stopNow = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === null || element === document.body) return undefined;
    const box = element.getBoundingClientRect();
    const rings = (one: Element): boolean => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
    };
    // a field may wear the ring of the frame around it
    const around = [element, element.parentElement?.closest("form, label")].filter((one) => one instanceof Element);
    const name = element.getAttribute("aria-label") ?? element.textContent.trim();
    return {
      name: `${element.localName} ${name.slice(0, 60)}`,
      isSeen: box.width > 1 && box.height > 1,
      hasRing: around.some(rings),
    };
  });
