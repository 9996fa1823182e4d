/** The lines that show the page's link, which is never wrapped so that it can be clicked and copied whole. */
import type { Look } from "./paint.ts";
import { wrap } from "./wrap.ts";

export const pageLines = (link: string, { paint, columns }: Look): string[] => [
  `Open the page:  ${paint.accent(link)}`,
  ...wrap("It logs one browser in, once, within ten minutes. For another: holdpoint link", columns).map(paint.quiet),
];
