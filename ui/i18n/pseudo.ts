/** A language for tests: every text longer and marked, so that what is not translated or does not fit shows. */
import type { Area, Text, Texts } from "./text-types.ts";

const ACCENTED: Readonly<Record<string, string>> = {
  a: "á",
  c: "ç",
  d: "ð",
  e: "é",
  g: "ĝ",
  h: "ĥ",
  i: "í",
  j: "ĵ",
  k: "ķ",
  l: "ļ",
  n: "ñ",
  o: "ó",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "ú",
  w: "ŵ",
  y: "ý",
  z: "ž",
  A: "Á",
  B: "Ɓ",
  C: "Ç",
  D: "Ð",
  E: "É",
  G: "Ĝ",
  I: "Í",
  N: "Ñ",
  O: "Ó",
  P: "Þ",
  R: "Ŕ",
  S: "Š",
  T: "Ţ",
  U: "Ú",
  W: "Ŵ",
};

export const pseudoTexts = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, area]) => [name, pseudoArea(area)]));

export const pseudoArea = (area: Area): Area =>
  Object.fromEntries(Object.entries(area).map(([name, text]) => [name, pseudoText(text)]));

function pseudoText(text: Text): Text {
  return typeof text === "string" ? pseudo(text) : { one: pseudo(text.one ?? text.other), other: pseudo(text.other) };
}

/** Letters with accents, a third longer, in brackets; placeholders stay. */
export function pseudo(text: string): string {
  const accented = text.replaceAll(/\{\w+\}|[A-Za-z]/g, (part) => ACCENTED[part] ?? part);
  return `[${accented}${"·".repeat(Math.ceil(text.length / 3))}]`;
}
