/** Filters that print nothing: in place they empty a file, and before a redirection they leave an empty one. */
import { namesIn } from "../finding.ts";
import type { Invocation } from "../invocation.ts";
import type { Argument } from "../resolve.ts";

const textsOf = (args: readonly Argument[]): readonly string[] => args.map((argument) => argument.text);

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  textsOf(args).filter((text) => text === "" || !text.startsWith("-"));

/** The scripts of sed: behind `-e`, else the first operand. */
const sedScripts = (args: readonly Argument[]): readonly string[] => {
  const texts = textsOf(args);
  const given = texts.flatMap((text, index) => {
    if (/^-[a-zA-Z]*e$|^--expression$/.test(text)) return [texts[index + 1] ?? ""];
    return /^--expression=(.*)/s.exec(text)?.[1] ?? [];
  });
  return given.length > 0 ? given : operandsOf(args).slice(0, 1);
};

/** An address that every line has, or none. */
const ALL = String.raw`(?:(?:0|1)\s*,\s*(?:\$|\d{4,})|1~1|/\.?\*?/|/\^(?:\.\*\$?)?/|/\.\*\$?/|/\$/)?`;
const DELETES_ALL = new RegExp(String.raw`^\{?\s*${ALL}\s*\{?\s*(?:d|Q|z)\s*\}?\s*\}?$`);
const BLANKS_ALL = /^\{?\s*s(\W)\^?\.\*\$?\1\1[gmM]*\s*\}?$/;
const SED_PRINTS = /[pPlrRaicwW=]/;

const commandsOf = (script: string): readonly string[] => script.split(/[;\n]/).map((command) => command.trim());

/** Whether a sed command leaves nothing of its input, whatever that is. */
export const sedPrintsNothing = (args: readonly Argument[]): boolean => {
  const commands = sedScripts(args).flatMap(commandsOf);
  if (commands.some((command) => DELETES_ALL.test(command) || BLANKS_ALL.test(command))) return true;
  const isQuiet = textsOf(args).some((text) => /^-[a-zA-Z]*n|^--(?:quiet|silent)$/.test(text));
  return isQuiet && !commands.some((command) => SED_PRINTS.test(command.replace(/\/(?:[^/\\]|\\.)*\//g, "")));
};

const AWK_VALUED = namesIn("-F -v -i -l --include --assign --field-separator --load");
const NEVER = /^(?:0|""|''|!1|NR\s*<\s*[01]|NR\s*==\s*0|0\s*==\s*1|1\s*==\s*0|BEGIN|END)?$/;

/** Whether an awk program prints nothing: no print, and no pattern that stands alone and can be true. */
export const awkPrintsNothing = (args: readonly Argument[]): boolean => {
  const texts = textsOf(args);
  if (texts.some((text) => /^(?:-f|--file)/.test(text))) return false;
  const program = texts.find((text, index) => !text.startsWith("-") && !AWK_VALUED.has(texts[index - 1] ?? ""));
  if (program === undefined || /\bprintf?\b|\bsystem\b|\bgetline\b/.test(program)) return false;
  let bare = program;
  // Innermost braces first; what stands before a block is its pattern and prints nothing by itself.
  for (let before = ""; before !== bare;) {
    before = bare;
    bare = bare.replace(/[^{};\n]*\{[^{}]*\}/g, ";");
  }
  return bare.split(/[;\n]/).every((pattern) => NEVER.test(pattern.trim()));
};

const isInplaceAwk = (args: readonly Argument[]): boolean => {
  const texts = textsOf(args);
  return texts.some(
    (text, index) =>
      /^(?:-i|--include=)inplace/.test(text) ||
      (text.startsWith("inplace") && /^(?:-i|--include)$/.test(texts[index - 1] ?? "")),
  );
};

/** The code behind `-e`, and the letters of all options before it: `-ni -e 0`, `-0777pie '…'`. */
const filterOf = (args: readonly Argument[]): { readonly letters: string; readonly code: string } => {
  const texts = textsOf(args);
  const flags = texts.filter((text) => /^-[a-zA-Z0-9.]+$/.test(text) && !/^-[MmIrCF]/.test(text));
  const code = texts.flatMap((text, index) => (/^-[a-zA-Z0-9]*[eE]$/.test(text) ? [texts[index + 1] ?? ""] : []));
  return { letters: flags.join(""), code: code.join("\n") };
};

const WRITES = /\b(?:print|printf|say|write|syswrite|puts|putc|p|pp|display)\b|\$stdout|<</;
const NEVER_PRINTS = /\bprint\s+(?:if\s+(?:0|"")|unless\s+1)(?!\w)/g;
const BLANKS_LINE =
  /^(?:\$_\s*=\s*(?:""|''|undef)|undef\s*\(?\s*\$_\s*\)?|s(\W)\^?\.\*\$?\1\1[gsm]*|\$_\.(?:clear|replace\((?:""|'')\)))$/;

/** perl and ruby over files in place: `-n` prints only what the code prints, `-p` what the code leaves of the line. */
const scriptingEmpties = (args: readonly Argument[]): boolean => {
  const { letters, code } = filterOf(args);
  if (!letters.includes("i")) return false;
  if (letters.includes("p")) return commandsOf(code).some((statement) => BLANKS_LINE.test(statement));
  return letters.includes("n") && !WRITES.test(code.replace(NEVER_PRINTS, ""));
};

const AWK = namesIn("awk gawk mawk nawk");
const SCRIPTING = /^(?:perl|ruby|jruby)[\d.]*$/;
const IS_INPLACE_SED = /^-[a-zA-Z]*i|^--in-place/;

/** Whether a command that edits files in place leaves nothing in them. */
export const emptiesInPlace = ({ name, args }: Invocation): boolean => {
  if (name === "sed") return textsOf(args).some((text) => IS_INPLACE_SED.test(text)) && sedPrintsNothing(args);
  if (AWK.has(name)) return isInplaceAwk(args) && awkPrintsNothing(args);
  return SCRIPTING.test(name) && scriptingEmpties(args);
};

/** All lines, in the words of ed and of vi. */
const EDITOR_ALL =
  /^[+:\s]*(?:silent!?\s+)?(?:(?:%|,|[01]\s*,\s*\$)\s*(?:d(?:elete)?\b|c\b)|g(?:lobal)?\/(?:\.\*?|\^|\$)?\/\s*d|norm(?:al)?!?\s+gg(?:"_)?dG|call\s+delete\()/;

/** Whether an editor is told to delete all lines, by its arguments or by what it reads. */
export const editorEmpties = ({ args, input }: Invocation): boolean =>
  [...textsOf(args), input?.text ?? ""]
    .flatMap((text) => text.split(/[\n|]/))
    .some((command) => EDITOR_ALL.test(command.trim()));
