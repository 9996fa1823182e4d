/**
 * Whether a line makes an option or a connection itself: `echo --output=x | xargs git log`, `x=-i; sed $x …`,
 * `${X:---pre=./x}`. Behind a marker it would be a name and do nothing; but who writes this means the option, so the line
 * gets no marker.
 */
import { staticText } from "./command-tree.ts";
import type { Command, List, Part, Redirection, Word } from "./command-tree.ts";
import { eachCommand } from "./each-command.ts";

/**
 * `---` draws a line; a dash and a letter make an option. Printf also prints dashes that are written as numbers. Bash and
 * gawk take some names for connections.
 */
const OPTION = /(?:^|[\s=])--?[A-Za-z]|\\0?55|\\x2d|\/inet|\/dev\/(?!null\b)/i;
const PRINTS: ReadonlySet<string> = new Set(["echo", "printf"]);
const ECHO_FLAG = /^-[neE]+$/;
const DEFAULT_OPTION = /^:?[-+]--?[A-Za-z]/;

const isEmptyable = (part: Part): boolean => part.type !== "text" || part.value === "";

/** A computed beginning that may be empty, and then what looks like an option; or a default that is one. */
const completes = ({ parts }: Word): boolean =>
  parts.some(
    (part, at) =>
      (part.type === "variable" && DEFAULT_OPTION.test(part.operation)) ||
      (part.type === "text" && /^--?[A-Za-z]/.test(part.value) && parts.slice(0, at).every(isEmptyable) && at > 0),
  );

const textIn = ({ parts }: Word): string => parts.map((part) => (part.type === "text" ? part.value : "\0")).join("");

const saysOption = (word: Word): boolean => OPTION.test(textIn(word));

const printed = (words: readonly Word[]): readonly Word[] => {
  const at = words.findIndex((word) => PRINTS.has(staticText(word) ?? ""));
  if (at === -1) return [];
  const rest = words.slice(at + 1);
  const first = rest.findIndex((word) => !ECHO_FLAG.test(staticText(word) ?? ""));
  return first === -1 ? [] : rest.slice(first);
};

const isText = (redirection: Redirection): boolean => redirection.type === "text" && saysOption(redirection.content);

const crafts = (node: Command): boolean => {
  if (node.type === "for") return node.words.some((word) => saysOption(word) || completes(word));
  if (node.type === "array") return node.elements.some((word) => saysOption(word) || completes(word));
  if (node.type !== "simple") return false;
  return (
    node.words.some(completes) ||
    printed(node.words).some(saysOption) ||
    node.assignments.some(({ value }) => saysOption(value)) ||
    node.redirections.some(isText)
  );
};

export const craftsOption = (list: List): boolean => {
  let found = false;
  eachCommand(list, (node) => {
    found ||= crafts(node);
  });
  return found;
};
