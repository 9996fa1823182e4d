/** Shells and interpreters: the script or code that they are given by an option, a file or their standard input. */
import { UNKNOWN } from "../finding.ts";
import type { Inner, Input, Invocation } from "../invocation.ts";
import { flagsOf, languageOf } from "./languages.ts";
import type { Argument } from "../resolve.ts";
import { isOption } from "../wrapped-commands.ts";

export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh mksh ash fish csh tcsh rbash yash osh nu xonsh elvish".split(" "),
);

/** Standard input by the name of a file. */
const INPUT_FILES: ReadonlySet<string> = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

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
    const at = args.findIndex((argument, index) => index > flag && !isOption(argument));
    const script = args[at];
    return script === undefined ? [] : [{ type: "script", text: script.text, positional: args.slice(at + 1) }];
  }
  const file = args.find((argument) => !isOption(argument) && !argument.text.startsWith("+"));
  if (file === undefined || args.some((argument) => argument.text === "-s")) return fromInput(input, name);
  if (isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return INPUT_FILES.has(file.text) ? fromInput(input, name) : [];
};

export const sourced = ({ name, args, input }: Invocation): readonly Inner[] => {
  const file = args[0];
  if (file !== undefined && isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  return INPUT_FILES.has(file?.text ?? "") ? fromInput(input, name) : [];
};

/** The text behind `-e`, `-pe`, `--eval=…` or `eval`. */
const codeIn = (args: readonly Argument[], flags: ReadonlySet<string>): readonly string[] =>
  args.flatMap(({ text }, index): readonly string[] => {
    const clustered = /^-[a-zA-Z]*[eEcr]$/.test(text) && flags.has(`-${text.slice(-1)}`);
    if (flags.has(text) || clustered) return [args.slice(index + 1).find((next) => !isOption(next))?.text ?? ""];
    const attached = /^--(?:eval|print)=([\s\S]*)$/.exec(text)?.[1] ?? dataIn(text);
    if (attached !== undefined) return [attached];
    // `perl -e'unlink 1'`: the code stands in the same word.
    return flags.has(text.slice(0, 2)) && /^-\w.*\W/s.test(text) ? [text.slice(2)] : [];
  });

/** `--import data:text/javascript,…`: code in the form of an address. */
const dataIn = (text: string): string | undefined => {
  const [, encoding, body] = /(?:^|=)data:[^,]*?(;base64)?,(.*)$/s.exec(text) ?? [];
  if (body === undefined) return undefined;
  if (encoding !== undefined) return Buffer.from(body, "base64").toString("utf8");
  try {
    return decodeURIComponent(body);
  } catch {
    return body;
  }
};

/** `deno run npm:rimraf x`: the package's own command. */
const packageIn = (args: readonly Argument[]): readonly Inner[] => {
  const at = args.findIndex(({ text }) => /^(?:npm|jsr):/.test(text));
  const named = args[at];
  if (named === undefined) return [];
  const text = named.text.replace(/^\w+:/, "").replace(/(?<=.)@[^/]*$/, "");
  return [{ type: "command", words: [{ ...named, text }, ...args.slice(at + 1)], input: undefined }];
};

export const interpreter = ({ name, args, input }: Invocation): readonly Inner[] => {
  const language = languageOf(name);
  if (language === undefined) return [];
  const code = codeIn(args, flagsOf(language));
  if (code.length > 0) return code.map((text) => ({ type: "code", text, language }));
  const packaged = packageIn(args);
  if (packaged.length > 0) return packaged;
  // `deno run -`: the verb is no file. `python -m json.tool` reads its input as data.
  const file = args.find((argument) => !isOption(argument) && argument.text !== "run");
  if (file !== undefined && isProduced(file)) return [{ type: "opaque", what: `${name} ${file.hidden}` }];
  if (input === undefined || (file !== undefined && !INPUT_FILES.has(file.text))) return [];
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
