/** Whether what a step declares touches what a risk rule names. In doubt it does: then more people look at the plan. */
import { isGlob, pathCover, plainPath } from "../../../protocol/calls/confinement.ts";
import { ANY_WORDS } from "../../protocol/step/scope.ts";

export type Fits = (risk: string, declared: string) => boolean;

/** One lies in the other, or some name fits both patterns. */
export const isSamePlace: Fits = (risk, declared) =>
  pathCover([risk])(plainPath(declared)) ||
  pathCover([declared])(plainPath(risk)) ||
  areMeetingGlobs(plainPath(risk), plainPath(declared));

function areMeetingGlobs(a: string, b: string): boolean {
  const [atA, atB] = [a.lastIndexOf("/") + 1, b.lastIndexOf("/") + 1];
  if (!isGlob(a) || !isGlob(b) || a.slice(0, atA) !== b.slice(0, atB)) return false;
  return haveCommonName(a.slice(atA), b.slice(atB));
}

/** One row per sign of `a`: which beginnings of `b` can stand for the same text as this beginning of `a`. */
function haveCommonName(a: string, b: string): boolean {
  let row = [true, ...Array.from(b, (_sign, at) => isStars(b.slice(0, at + 1)))];
  for (const sign of a) {
    const next = [sign === "*" && row[0] === true];
    for (const [at, other] of Array.from(b).entries()) {
      const [both, mine, theirs] = [row[at] === true, row[at + 1] === true, next[at] === true];
      if (sign === "*" || other === "*") next.push(mine || theirs || both);
      else next.push(both && (sign === other || sign === "?" || other === "?"));
    }
    row = next;
  }
  return row.at(-1) === true;
}

const isStars = (text: string): boolean => /^\*+$/.test(text);

/** The words of the risk stand anywhere in the line, or words that the plan leaves open can make them. */
export const isSameCommand: Fits = (risk, declared) => {
  const [wanted, line] = [oneSpaced(risk), oneSpaced(declared)];
  if (line.endsWith(ANY_WORDS) && wanted.startsWith(line.slice(0, 1 - ANY_WORDS.length))) return true;
  for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + 1))
    if (!isWordSign(line[at - 1]) && !isWordSign(line[at + wanted.length])) return true;
  return false;
};

const oneSpaced = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_-]/u.test(sign);

/** Without a port a name stands for every port. */
export const isSameHost: Fits = (risk, declared) => {
  const [a, b] = [hostOf(risk), hostOf(declared)];
  if (a.port !== undefined && b.port !== undefined && a.port !== b.port) return false;
  return a.name === b.name || coversName(a.name, b.name) || coversName(b.name, a.name);
};

function hostOf(entry: string): { name: string; port: string | undefined } {
  const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  return { name, port };
}

const coversName = (wide: string, name: string): boolean =>
  wide === "*" || (wide.startsWith("*.") && name.endsWith(wide.slice(1)));

export const isSameTool: Fits = (risk, declared) =>
  risk === declared ||
  (risk.endsWith("__*") && declared.startsWith(risk.slice(0, -1))) ||
  (declared.endsWith("__*") && risk.startsWith(declared.slice(0, -1)));
