/** Shells and interpreters: the script or code that they are given by an option, a file or their standard input. */
import { UNKNOWN } from "./finding.ts";
import type { Inner, Input, Invocation } from "./invocation.ts";
import { flagsOf, languageOf } from "./languages.ts";
import type { Argument } from "./resolve.ts";
import { isOption } from "./wrapped-commands.ts";

export const SHELLS: ReadonlySet<string> = new Set("sh bash zsh dash ksh mksh ash fish csh tcsh rbash".split(" "));

/** Code from an unknown source cannot be inspected, but it would run. */
export const fromInput = (input: Input | undefined, what: string): readonly Inner[] => {
  if (input === undefined) return [];
  if (input.text !== undefined) return [{ type: "script", text: input.text }];
  return [{ type: "opaque", what: `${input.source} | ${what}` }];
};

/** `bash <(curl …)`: a file that only exists while the line runs. */
const isProduced = (file: Argument): boolean => file.text === UNKNOWN && file.hidden.startsWith("<(");

export const shell = ({ name, args, input }: Invocation): readonly Inner[] => {
  const flag = args.findIndex((argument) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(argument.text));
  if (flag !== -1) {
    const script = args.slice(flag + 1).find((argument) => !isOption(argument));
    return script === undefined ? [] : [{ type: "script", text: script.text }];
  }
  const file = args.find((argument) => !isOption(argument) && !argument.text.startsWith("+"));
  if (file === undefined || args.some((argument) => argument.text === "-s")) return fromInput(input, name);
  if (isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return file.text === "/dev/stdin" || file.text === "-" ? fromInput(input, name) : [];
};

export const sourced = ({ name, args, input }: Invocation): readonly Inner[] => {
  const file = args[0];
  if (file !== undefined && isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return file?.text === "/dev/stdin" ? fromInput(input, name) : [];
};

/** The text behind `-e`, `-pe`, `--eval=…` or `eval`. */
const codeIn = (args: readonly Argument[], flags: ReadonlySet<string>): readonly string[] =>
  args.flatMap(({ text }, index): readonly string[] => {
    const clustered = /^-[a-zA-Z]*[eEcr]$/.test(text) && flags.has(`-${text.slice(-1)}`);
    if (flags.has(text) || clustered) return [args.slice(index + 1).find((next) => !isOption(next))?.text ?? ""];
    const attached = /^--(?:eval|print)=([\s\S]*)$/.exec(text)?.[1];
    return attached === undefined ? [] : [attached];
  });

export const interpreter = ({ name, args, input }: Invocation): readonly Inner[] => {
  const language = languageOf(name);
  if (language === undefined) return [];
  const code = codeIn(args, flagsOf(language));
  if (code.length > 0) return code.map((text) => ({ type: "code", text, language }));
  // `deno run -`: the verb is no file. `python -m json.tool` reads its input as data.
  const file = args.find((argument) => !isOption(argument) && argument.text !== "run");
  if (file !== undefined && isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  if (input === undefined || (file !== undefined && file.text !== "-")) return [];
  return input.text === undefined
    ? [{ type: "opaque", what: `${input.source} | ${name}` }]
    : [{ type: "code", text: input.text, language }];
};

/** Recipes of a makefile: what stands behind a tab, or behind the semicolon of a rule. */
export const recipesIn = (makefile: string): readonly Inner[] =>
  makefile.split("\n").flatMap((line): readonly Inner[] => {
    const recipe = line.startsWith("\t") ? line : /^[^\s:=][^:=]*::?[^;=]*;(.*)$/.exec(line)?.[1];
    return recipe === undefined ? [] : [{ type: "script", text: recipe.replace(/^[\t @+-]+/, "") }];
  });
