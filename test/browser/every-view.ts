/** Checks that hold for every view alike, made inside of the page. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page has to be inside of what is sent there */
import type { Page } from "playwright-core";
import { APART } from "../kit/all-texts.ts";

/** Elements that people scroll sideways on purpose, each by itself and reachable by keyboard. */
const MAY_SCROLL = "pre, table, .wide, .places, .filters, .graph, [role=tablist], textarea, input, select";

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

/**
 * What nobody can read of the elements with this name, because something around it cuts it off at its right edge and does
 * not scroll. Words inside of what may scroll by itself can be reached; its own box has to be in sight all the same.
 */
export function cutOff(page: Page, inside: string): Promise<string[]> {
  return page.evaluate(
    ({ elementName, mayScroll }) => {
      const found: string[] = [];
      const SLACK_PX = 1;
      const parentOf = (node: Node): Element | null => {
        if (node instanceof Element && node.assignedSlot !== null) return node.assignedSlot;
        const parent = node.parentNode;
        return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
      };
      const cuts = (element: Element): boolean => getComputedStyle(element).overflowX !== "visible";
      const scrollsByItself = (element: Element): boolean =>
        element.matches(mayScroll) && ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
      const edgeOf = (element: Element): number =>
        element.getBoundingClientRect().left + element.clientLeft + element.clientWidth;
      const edgeAround = (element: Element | null): number => {
        if (element === null) return innerWidth;
        return Math.min(cuts(element) ? edgeOf(element) : innerWidth, edgeAround(parentOf(element)));
      };
      const check = (what: string, { width, right }: DOMRect, edge: number): void => {
        if (width > 0 && right > edge + SLACK_PX) found.push(`${Math.round(right - edge)} px of ${what}`);
      };
      const checkWords = (node: Node, edge: number): void => {
        const range = new Range();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) check(`“${node.textContent?.trim().slice(0, 40) ?? ""}”`, box, edge);
      };
      const look = (root: Node, edge: number): void => {
        for (const node of root.childNodes) {
          if (node.nodeType === Node.TEXT_NODE) checkWords(node, edge);
          if (!(node instanceof Element) || node.matches(".unseen, style")) continue;
          check(`${node.localName}.${node.getAttribute("class") ?? ""}`, node.getBoundingClientRect(), edge);
          if (scrollsByItself(node)) continue;
          const inner = cuts(node) ? Math.min(edge, edgeOf(node)) : edge;
          for (const part of [node.shadowRoot, node]) if (part !== null) look(part, inner);
        }
      };
      const everywhere = (root: ParentNode): Element[] =>
        [...root.querySelectorAll("*")].flatMap((one) => [
          ...(one.localName === elementName ? [one] : []),
          ...(one.shadowRoot === null ? [] : everywhere(one.shadowRoot)),
        ]);
      const elements = everywhere(document);
      if (elements.length === 0) found.push(`there is no ${elementName}`);
      for (const element of elements) {
        const edge = edgeAround(element);
        for (const part of [element.shadowRoot, element]) if (part !== null) look(part, edge);
      }
      return found.slice(0, 10);
    },
    { elementName: inside, mayScroll: MAY_SCROLL },
  );
}

/** Buttons, fields and links that stand by themselves and are smaller than a finger tip; inside of the elements with this name. */
export function smallTargets(page: Page, inside: string): Promise<string[]> {
  return page.evaluate((elementName) => {
    const FINGER_PX = 43.5;
    const found: string[] = [];
    const look = (root: ParentNode): void => {
      for (const element of root.querySelectorAll<HTMLElement>("*")) {
        if (element.shadowRoot !== null) look(element.shadowRoot);
        if (!element.matches("button, select, textarea, a.button, summary, .kinds label")) continue;
        const { width, height } = element.getBoundingClientRect();
        if (width === 0 || !element.checkVisibility({ contentVisibilityAuto: true })) continue;
        if (Math.min(width, height) < FINGER_PX)
          found.push(
            `${Math.round(width)}×${Math.round(height)} ${element.localName}.${element.className} ${(element.ariaLabel ?? element.textContent).trim().slice(0, 30)}`,
          );
      }
    };
    const everywhere = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [
        ...(one.localName === elementName ? [one] : []),
        ...(one.shadowRoot === null ? [] : everywhere(one.shadowRoot)),
      ]);
    for (const { shadowRoot } of everywhere(document)) if (shadowRoot !== null) look(shadowRoot);
    return [...new Set(found)].slice(0, 20);
  }, inside);
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
