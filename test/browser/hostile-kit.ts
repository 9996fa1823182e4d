/** Text that tries to be more than text, and how a page is searched for anything that it became. */
/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page has to be inside of what is sent there */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { OpenedPage, World } from "./page-world.ts";

/** Breaks out of elements, of attributes in either quotes, of Markdown, and hides and turns around what follows. */
export const HOSTILE = `"'><hp-owned data-owned=1><img src=x onerror="owned=1"><svg onload=owned=1>\u202Egnp\u200B`;
/** As a person sees it. */
export const SEEN = HOSTILE.replace("\u202E", "‹U+202E›").replace("\u200B", "‹U+200B›");
/** Where only a short word fits. */
export const SHORT = `<b data-owned=1>\u202Ex\u200B`;
export const SHORT_SEEN = "<b data-owned=1>‹U+202E›x‹U+200B›";

/** Every kind of address that a link must not lead to. */
export const LINKS = [
  "[a](javascript:owned=1)",
  "[b](JaVaScRiPt&colon;owned=1)",
  "[c](java\tscript:owned=1)",
  "[d](data:text/html,<script>owned=1</script>)",
  "[e](vbscript:owned)",
  "[f](blob:https://evil.example/x)",
  "[g](file:///etc/passwd)",
  "[h](//evil.example/x)",
  "[i](/auth/logout)",
  '[j](https://evil.example/ "x\\" onclick=\\"owned=1")',
  "<javascript:owned=1>",
  "![k](https://evil.example/?d=1)",
  "[l]: javascript:owned=1\n\n[l] ![l]",
].join("\n\n");

/** The texts of one list of attacks. */
export function attacks(name: "unicode" | "chat-markup" | "envelope" | "prompt-injection"): string[] {
  return readFileSync(new URL(`../corpora/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => String((JSON.parse(line) as { text: unknown }).text));
}

export type Watched = OpenedPage & {
  /** Nothing of this view is more than text. */
  expectOnlyText(): Promise<void>;
};

/** A page that keeps a list of what the policy had to stop, and of what it asked others for. */
export async function openWatched(world: World, options: Parameters<World["openPage"]>[0] = {}): Promise<Watched> {
  const opened = await world.openPage(options);
  const { page } = opened;
  const foreign: string[] = [];
  page.on("request", (request) => {
    const address = new URL(request.url());
    const isOurs = address.host === new URL(world.url).host || ["data:", "blob:"].includes(address.protocol);
    if (!isOurs) foreign.push(address.href);
  });
  await page.addInitScript(() => {
    const stopped: string[] = [];
    Reflect.set(globalThis, "stopped", stopped);
    document.addEventListener("securitypolicyviolation", (event) => {
      stopped.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return {
    ...opened,
    async expectOnlyText() {
      expect({ at: new URL(page.url()).pathname, ...(await found(page)), foreign }).toEqual({
        at: new URL(page.url()).pathname,
        owned: "undefined",
        stopped: [],
        elements: [],
        attributes: [],
        addresses: [],
        hidden: [],
        foreign: [],
      });
    },
  };
}

/** What no view may hold, searched for in every shadow root: our own parts have none of it. */
export function found(page: Page) {
  return page.evaluate(() => {
    const roots: ParentNode[] = [document];
    for (const root of roots)
      for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot !== null) roots.push(shadowRoot);
    const all = roots.flatMap((root) => [...root.querySelectorAll("*")]);
    const OWN_STYLE = /^(?:--[\w-]+: [\d.]+(?:px)?;\s*)*$/; // measures that our own script sets
    const isActive = (element: Element): boolean =>
      !OWN_STYLE.test(element.getAttribute("style") ?? "") ||
      element.matches("hp-owned, iframe, object, embed, base, form[action], audio, video, marquee, math") ||
      (element.matches("script") && !(element.getAttribute("src") ?? "").startsWith("/assets/")) ||
      (element.matches("img") &&
        !/^(?:blob:|data:image\/(?:png|jpeg|webp|gif))/.test(element.getAttribute("src") ?? ""));
    const isForeignName = ({ name }: Attr): boolean => /^on|^data-owned|^srcdoc|^formaction|^ping$/i.test(name);
    const isBadAddress = ({ name, value }: Attr): boolean => {
      if (!/(?:^|:)(?:href|src|action)$/.test(name) || /^(?:blob:|data:image\/(?:png|jpeg|webp|gif))/.test(value))
        return false;
      return !/^(?:https?:\/\/|mailto:|\/(?!\/)|#|$)/.test(value) || value.startsWith("/auth");
    };
    const HIDDEN =
      // oxlint-disable-next-line no-control-regex -- such characters are what it looks for
      /[\u0000-\u0008\u000B\u001B\u00AD\u115F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\u3164\uFEFF]|[\u{E0000}-\u{E0FFF}]/u;
    const texts = roots.flatMap((root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const inside: string[] = [];
      while (walker.nextNode() !== null) inside.push(walker.currentNode.nodeValue ?? "");
      return inside;
    });
    const attributes = all.flatMap((element) => [...element.attributes].map((attribute) => ({ element, attribute })));
    const SHOWN = /^(?:aria-|title$|alt$|placeholder$|label$|heading$)/;
    const shown = attributes
      .filter(({ attribute: { name } }) => SHOWN.test(name))
      .map(({ attribute }) => attribute.value);
    const nameOf = (element: Element): string => element.outerHTML.slice(0, 160);
    return {
      owned: typeof Reflect.get(globalThis, "owned"),
      stopped: (Reflect.get(globalThis, "stopped") as string[] | undefined) ?? [],
      elements: all.filter(isActive).map(nameOf).slice(0, 5),
      attributes: attributes.filter(({ attribute }) => isForeignName(attribute)).map(({ element }) => nameOf(element)),
      addresses: attributes.filter(({ attribute }) => isBadAddress(attribute)).map(({ attribute }) => attribute.value),
      hidden: [...texts, ...shown, document.title]
        .filter((text) => HIDDEN.test(text))
        .map((text) => JSON.stringify(text).slice(0, 200)),
    };
  });
}
