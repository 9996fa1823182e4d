/** The public functions of the shell gate. Everything here is pure and synchronous. */
import { emitList } from "./emit.ts";
import { explainList } from "./explain.ts";
import type { ExplainedCommand } from "./explain.ts";
import { gitFolders } from "./git-folders.ts";
import { guardText } from "./parse/guard.ts";
import { parseShell } from "./parse/parse.ts";
import type { List } from "./command-tree.ts";
import { ShellRefused, shellRefusal } from "./verdict.ts";
import type { ShellRefusal, ShellVerdict } from "./verdict.ts";
import { judgeReadOnly } from "./judge-read-only.ts";
import { writtenOut } from "./written-out.ts";
import type { BareWords } from "../../plugins/sdk.ts";

export type Place = { readonly cwd: string; readonly home: string };

const attempt = <Value extends object>(work: () => Value): Value | ShellRefusal => {
  try {
    return work();
  } catch (error) {
    if (error instanceof ShellRefused) return error.refusal;
    // A parser that throws has not understood the text; fail closed.
    return shellRefusal("syntax", String(error), "Use a simpler command.");
  }
};

const isRefusal = (value: object): value is ShellRefusal => "hint" in value;

const refused = (refusal: ShellRefusal, canonical?: string): ShellVerdict => ({
  allowed: false,
  ...refusal,
  canonical,
});

type Parsed = { readonly list: List };

const read = (command: string, place: Place): Parsed | ShellRefusal =>
  guardText(command) ?? attempt((): Parsed => ({ list: parseShell(command, place.home) }));

/** Plan mode's question: is this command line proven read-only (GA-05)? */
export const judgeShell = (command: string, place: Place): ShellVerdict => {
  const parsed = read(command, place);
  if (isRefusal(parsed)) return refused(parsed);
  const judged = attempt(() => judgeReadOnly(parsed.list));
  if (isRefusal(judged)) return refused(judged, emitList(parsed.list));
  const git = judged.rules.includes("git") ? gitFolders(judged.list, place.cwd) : undefined;
  const { list, rules, needsSandbox } = judged;
  return { allowed: true, code: "read-only", canonical: emitList(list), rules, git, needsSandbox };
};

export type ShellExplanation = {
  readonly verdict: ShellVerdict;
  /** The tree as parsed; undefined when the text did not parse. */
  readonly tree: List | undefined;
  readonly commands: readonly ExplainedCommand[];
};

/** For people: the same verdict, with the tree and the rule behind each command (GA-11). */
export const explainShell = (command: string, place: Place): ShellExplanation => {
  const verdict = judgeShell(command, place);
  const parsed = read(command, place);
  if (isRefusal(parsed)) return { verdict, tree: undefined, commands: [] };
  return { verdict, tree: parsed.list, commands: explainList(parsed.list) };
};

/** A proven text with its patterns written out, for where there is no sandbox; it parses to the tree that it was printed from. */
export function writtenOutText(
  canonical: string,
  { home, bare }: { home: string; bare: BareWords },
): { canonical: string } | { refused: string } {
  const written = writtenOut(parseShell(canonical, home), bare);
  return "refused" in written ? written : { canonical: emitList(written.list) };
}

export { judgeAcceptEdits } from "./accept-edits.ts";
export type { EditCall } from "./accept-edits.ts";
export type { EditPlace, FindingClass } from "./accept-edits/finding.ts";
export { sqlDestroys } from "./accept-edits/destructive/sql.ts";
export type { ShellVerdict } from "./verdict.ts";
