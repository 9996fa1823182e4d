/** Whether the window itself scrolls, and which parts of the page reach below it. */
import type { Page } from "playwright-core";

export const EVERY_SIZE = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;

/** Empty where the document is exactly as high as the window; otherwise what reaches beyond it. */
export const beyondWindow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.scrollingElement;
    if (root === null || root.scrollHeight <= window.innerHeight) return [];
    const found: string[] = [`${root.scrollHeight} > ${window.innerHeight}`];
    const look = (node: Document | ShadowRoot | Element): void => {
      for (const child of node.children) {
        const isLoose = getComputedStyle(child).position === "absolute" && (child as HTMLElement).offsetParent === null;
        const { bottom } = child.getBoundingClientRect();
        if (isLoose && bottom > window.innerHeight) found.push(`${child.tagName}.${child.className} ${bottom}`);
        look(child);
        if (child.shadowRoot !== null) look(child.shadowRoot);
      }
    };
    look(document);
    return found.slice(0, 20);
  });
