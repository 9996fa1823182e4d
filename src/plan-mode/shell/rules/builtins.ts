/** Builtins of the shell that read, or that change nothing a later word could misuse. */
import { checkTest } from "../scripts/test.ts";
import { staticText } from "../command-tree.ts";
import { stop } from "../verdict.ts";
import { environmentRefusal, isAssignable } from "./environment-names.ts";
import { has, leads } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** By custom what nobody wants; bash overwrites it before the next command. */
const NOWHERE = "_";

const checkRead = (call: Call): void => {
  for (const { word } of call.operands) {
    // Written out: what `n=f; read $n` sets would still count as what it was before. `read 'a[$(cmd)]'` would run cmd.
    const text = staticText(word);
    if (text === NOWHERE) continue;
    if (text === undefined || !VARIABLE.test(text) || !isAssignable(text)) stop("shell-state", `read ${text ?? "…"}`);
  }
  if (call.operands.length === 0) stop("shell-state", "read without a name");
};

/** `-C` runs a command, `-u` reads elsewhere, `-O` is a subscript. */
const checkMapfile = (call: Call): void => {
  const [name, ...others] = call.operands;
  const text = name === undefined ? undefined : staticText(name.word);
  if (text === undefined || others.length > 0 || !VARIABLE.test(text) || !isAssignable(text))
    stop("shell-state", `${call.name} ${text ?? "…"}`);
  const odd = call.options.find(
    ({ name: option, value }) => /^-[ns]$/.test(option) && !/^\d+$/.test(value?.text ?? ""),
  );
  if (odd !== undefined) stop("operand", `${call.name} ${odd.name}`);
};

const ASSIGNS = /%[^%a-zA-Z]*[hlLjzt]*n/;

/** `%n` assigns to a variable, so that `printf %n PATH` would choose other programs for the words that follow. */
const checkPrintf = (call: Call): void => {
  const format = call.operands[0]?.text;
  if (call.operands.length > 0 && (format === undefined || ASSIGNS.test(format.replaceAll("%%", ""))))
    stop("shell-state", `printf ${format ?? "…"}`, "Write the format literally, without %n.");
};

const checkSet = (call: Call): void => {
  const modes = call.options.filter((option) => option.name === "-o");
  if (modes.some((option) => option.value?.text !== "pipefail") || call.options.length === 0)
    stop("shell-state", "set");
};

const PATTERN_MODES: ReadonlySet<string> = new Set(["globstar", "nullglob", "dotglob", "nocaseglob", "failglob"]);

const checkShopt = (call: Call): void => {
  const changes = has(call, "-s -u");
  const odd = call.operands.find(({ text }) => changes && !PATTERN_MODES.has(text ?? ""));
  if (odd !== undefined) stop("shell-state", `shopt ${odd.text ?? "…"}`);
};

/** Only what may be set for a single command, too. */
const checkExport = (call: Call): void => {
  if (call.operands.length === 0 && !leads(call, "-p")) stop("missing-option", "export needs -p");
  for (const { text } of call.operands) {
    const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(text ?? "");
    const refusal =
      assignment === null ? (text ?? "…") : environmentRefusal(assignment[1] ?? "", assignment[2], "export");
    if (refusal !== undefined) stop("shell-state", `export ${refusal}`);
  }
};

const checkType = (call: Call): void => {
  for (const shape of call.shapes) if (shape.arity === "split") stop("dynamic-word", call.name);
};

export const BUILTINS: readonly Rule[] = [
  { names: "[ test", options: "any", check: checkTest },
  { names: "printf", options: {}, operandsEndOptions: true, check: checkPrintf },
  { names: "cd", options: { flags: "LPe" }, operandsMax: 1, marker: "--" },
  { names: "pushd", options: {}, operandsMax: 1, operand: /^[^+-]/ },
  { names: "popd", options: {}, operandsMax: 0 },
  { names: "type", options: "any", check: checkType },
  { names: "hash", options: { flags: "tl", harmful: "-p -d -r" }, requires: "-t -l" },
  { names: "history", options: {}, operand: /^\d+$/, operandsMax: 1 },
  { names: "jobs", options: { flags: "lnprs", harmful: "-x" } },
  { names: "ulimit", options: { flags: "aHSbcdefiklmnpqrstuvxPRT" }, operandsMax: 0 },
  { names: "umask", options: { flags: "Sp" }, operandsMax: 0 },
  { names: "dirs", options: { flags: "lpv" }, operandsMax: 0 },
  { names: "times", options: {}, operandsMax: 0 },
  // They change which names a pattern finds, not what may stand in front of them.
  { names: "shopt", options: { flags: "pqsu" }, operandsMax: 4, check: checkShopt },
  { names: "alias", options: { flags: "p" }, operandsMax: 0 },
  { names: "read", options: { flags: "rs", valued: "dnNtup" }, check: checkRead },
  {
    names: "mapfile readarray",
    options: { flags: "t", valued: "nsd", harmful: "-C -c" },
    literal: true,
    check: checkMapfile,
  },
  { names: "set", options: { flags: "eu", valued: "o" }, operandsMax: 0, check: checkSet },
  { names: "exit return break continue", options: {}, operand: /^\d{1,3}$/, operandsMax: 1 },
  { names: "help", options: { flags: "ds" }, literal: true },
  { names: "export", options: { flags: "p" }, check: checkExport },
  { names: "declare", options: { flags: "p" }, operandsMax: 0, requires: "-p" },
  {
    names: "trap",
    options: { flags: "lp" },
    check: (call) => {
      if (!leads(call, "-l -p")) stop("shell-state", "trap");
    },
  },
];

/** Of these there is a program as well. */
const PROGRAMS: ReadonlySet<string> = new Set(["[", "test", "printf"]);
const SHELL_ONLY: ReadonlySet<string> = new Set(
  [...BUILTINS.flatMap(({ names }) => names.split(" ")), "builtin", "command"].filter((name) => !PROGRAMS.has(name)),
);

/** No program lies at `/bin/read`: printed without its folder it would be the shell's own, which the facts did not see. */
export const isShellOnly = (name: string): boolean => SHELL_ONLY.has(name);
