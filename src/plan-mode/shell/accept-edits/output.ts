/** What goes into a command and what comes out of it, as far as that is plain to see without running anything. */
import { forEachChild } from "unbash";
import type * as Bash from "unbash";
import { UNKNOWN } from "./finding.ts";
import { awkPrintsNothing, sedPrintsNothing } from "./destructive/in-place.ts";
import { resolveWord, staticOutput } from "./resolve.ts";
import type { Argument, Variables } from "./resolve.ts";
import type { Input } from "./invocation.ts";

export const sourceOf = (node: Bash.SyntaxNode): string => {
  const pieces: string[] = [];
  const look = (child: Bash.SyntaxNode): void => {
    if (child.type === "Word") pieces.push(child.text);
    else forEachChild(child, look);
  };
  look(node);
  return pieces.join(" ");
};

/** Filters whose work can be done here: what they print for a known input. */
const FILTERS: Readonly<Record<string, (text: string, options: string) => string | undefined>> = {
  cat: (text, options) => (options === "" ? text : undefined),
  base64: (text, options) =>
    /-d|-D|--decode/.test(options) ? Buffer.from(text, "base64").toString("utf8") : undefined,
  xxd: (text, options) =>
    options.includes("-r") ? Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8") : undefined,
  rev: (text) =>
    text
      .split("\n")
      .map((line) => Array.from(line).toReversed().join(""))
      .join("\n"),
};

const SILENT: ReadonlySet<string> = new Set([":", "true", "false", "sleep", "test", "[", "unset", "shift"]);

/** Commands that print nothing, whatever comes in. */
const isSilent = (name: string, words: readonly Argument[]): boolean => {
  if (SILENT.has(name)) return true;
  const texts = words.map((word) => word.text);
  if (name === "sed") return sedPrintsNothing(words);
  if (/^[gmn]?awk$/.test(name)) return awkPrintsNothing(words);
  if (name === "jq") return texts.includes("empty");
  if (/^(?:python[\d.]*|node|perl|ruby)$/.test(name)) return texts.length === 2 && texts[1] === "";
  if (name === "cat") return texts.length > 0 && texts.every((text) => text === "/dev/null");
  return (name === "head" || name === "tail") && /(?:^| )-[cn]? ?0(?: |$)/.test(texts.join(" "));
};

/** A group of nothing but commands that print nothing. */
export const printsNothing = (node: Bash.SyntaxNode): boolean => {
  let silent = true;
  const look = (child: Bash.SyntaxNode): void => {
    if (child.type === "Command" && child.name !== undefined && !SILENT.has(child.name.value)) silent = false;
    forEachChild(child, look);
  };
  look(node);
  return silent;
};

/** What a stage writes to the pipe, when that is plain to see. */
export const outputOf = (node: Bash.Command, input: Input | undefined, variables: Variables): string | undefined => {
  const name = node.name?.value ?? "";
  const words = node.args.flatMap((word) => (word.type === "Word" ? resolveWord(word, variables) : []));
  const printed = staticOutput(name, words);
  if (printed !== undefined) return printed.includes(UNKNOWN) ? undefined : printed;
  if (isSilent(name, words)) return "";
  const text = inputOf(node, input, variables)?.text;
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  return text === undefined ? undefined : filter?.(text, words.map((word) => word.text).join(" "));
};

/** Undefined for a file of which nothing is known. */
const fromRedirect = (redirect: Bash.Redirect): Input | undefined => {
  if (redirect.target?.value === "/dev/null") return { text: "", source: "/dev/null" };
  const target = redirect.target?.parts?.[0];
  return target?.type === "ProcessSubstitution" ? { text: undefined, source: target.text } : undefined;
};

export const inputOf = (
  node: Pick<Bash.Command, "redirects">,
  input: Input | undefined,
  variables: Variables,
): Input | undefined => {
  for (const redirect of node.redirects) {
    if (redirect.type === "HereDoc") return { text: redirect.body.text, source: "<<" };
    if (redirect.type === "HereString" && redirect.target !== undefined) {
      const text = resolveWord(redirect.target, variables)
        .map((word) => word.text)
        .join(" ");
      return { text, source: redirect.target.text };
    }
    if (redirect.type === "Redirect" && redirect.operator === "<") return fromRedirect(redirect);
  }
  return input;
};

/** The file that is standard input, as it is written. */
export const fileRead = ({ redirects }: Pick<Bash.Command, "redirects">): string | undefined => {
  const redirect = redirects.findLast((one) => one.type === "Redirect" && one.operator === "<");
  return redirect?.type === "Redirect" ? redirect.target?.text : undefined;
};
