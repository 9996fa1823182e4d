/** PowerShell and cmd: their statements as commands, their aliases by the names that other shells know. */
import type { Inner, Invocation } from "../invocation.ts";
import { literal } from "../resolve.ts";

const TOKEN = /"(?:[^"`]|`.)*"|'[^']*'|[;|{}()&=\n]+|[^\s"';|{}()&=]+/gs;
const BREAKS = /^[;|{}()&=\n]/;
const ALIASES: Readonly<Record<string, string>> = { ri: "Remove-Item", rd: "Remove-Item", clc: "Clear-Content" };
const EVALUATES: ReadonlySet<string> = new Set(["iex", "invoke-expression"]);
const NESTING_MAX = 4;

const unquoted = (token: string): string => (/^["']/.test(token) ? token.slice(1, -1) : token);

/** Case does not matter here: `remove-item` is `Remove-Item`. */
const spelled = (name: string): string =>
  /^[a-z]+-[a-z]+$/i.test(name)
    ? name.toLowerCase().replace(/(?:^|-)./g, (letter) => letter.toUpperCase())
    : name.toLowerCase();

/** The words of each statement, also of those in braces and parentheses. */
const localizedTextOf = (tokens: readonly string[]): readonly (readonly string[])[] => {
  const statements: string[][] = [[]];
  for (const token of tokens) {
    if (BREAKS.test(token)) statements.push([]);
    else statements.at(-1)?.push(unquoted(token));
  }
  return statements;
};

/** Every statement of a script, and of the scripts in `"$(…)"` and behind `iex`. */
const statementsIn = (script: string, depth = 0): readonly Inner[] => {
  if (depth > NESTING_MAX) return [{ type: "opaque", what: script }];
  const tokens = script.match(TOKEN) ?? [];
  const statements = localizedTextOf(tokens);
  const quoted = tokens.filter((token) => token.startsWith('"') && token.includes("$(")).map(unquoted);
  const evaluated = statements
    .filter(([name = ""]) => EVALUATES.has(name.toLowerCase()))
    .map((words) => words.slice(1).join(" "));
  return [
    ...statements.map(([name = "", ...rest]): Inner => ({
      type: "command",
      words: [ALIASES[name.toLowerCase()] ?? spelled(name), ...rest].map(literal),
      input: undefined,
    })),
    ...[...quoted, ...evaluated].flatMap((text) => statementsIn(text, depth + 1)),
  ];
};

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Its options, in whatever case. */
const COMMAND = set("-c -command");
const ENCODED = set("-e -ec -enc -encodedcommand");
const FILE = set("-f -file");
const VALUED = set(
  "-executionpolicy -ep -ex -workingdirectory -wd -outputformat -inputformat -version -windowstyle -w",
);
const DELETES = /(?:::|\.)Delete\(/i;

const inspected = (script: string): readonly Inner[] => [
  ...(DELETES.test(script) ? [{ type: "opaque", what: script } as const] : []),
  ...statementsIn(script),
];

export const powershell = ({ args, input }: Invocation): readonly Inner[] => {
  const texts = args.map((argument) => argument.text);
  const options = texts.map((text) => text.toLowerCase());
  const start = options.findIndex(
    (text, index) =>
      COMMAND.has(text) ||
      ENCODED.has(text) ||
      FILE.has(text) ||
      (!text.startsWith("-") && !VALUED.has(options[index - 1] ?? "")),
  );
  const option = options[start] ?? "";
  if (FILE.has(option)) return [];
  const given = texts.slice(option.startsWith("-") ? start + 1 : start).join(" ");
  if (ENCODED.has(option)) return inspected(Buffer.from(given, "base64").toString("utf16le"));
  return inspected(start === -1 || given === "-" ? (input?.text ?? "") : given);
};

/** `cmd /c "rd /s /q x"` */
export const cmd = ({ args }: Invocation): readonly Inner[] => {
  const start = args.findIndex((argument) => /^\/[ck]$/i.test(argument.text));
  const given = args.slice(start + 1).map((argument) => argument.text);
  return start === -1 ? [] : statementsIn(given.join(" "));
};
