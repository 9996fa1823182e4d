/**
 * Files that a line writes and then runs: `printf 'rm x' > s.sh; bash s.sh` is `rm x` in another form. A file that came
 * from elsewhere in the same line (`curl -o s.sh …; sh s.sh`) is like a pipe into a shell: nobody can see what it runs.
 */
import type { EditPlace } from "./finding.ts";
import { absolutePath } from "./protected-paths.ts";
import { namesIn, UNKNOWN } from "./finding.ts";
import type { Argument } from "./resolve.ts";
import { recipesIn, SHELLS } from "./code/interpreters.ts";
import type { Inner, Input, Invocation } from "./invocation.ts";
import { sqlDestroys } from "./destructive/sql.ts";
import { DATABASE_CLIENTS } from "./destructive/destructive.ts";
import { languageOf, stringsIn } from "./code/languages.ts";
import { literal } from "./resolve.ts";
import { scriptFileOf } from "./script-targets.ts";
import { withoutFields } from "./unwrap.ts";
import { optionValues } from "./wrapped-commands.ts";

type Written = { readonly path: string; readonly text: string | undefined; readonly appends: boolean };

export type WrittenFiles = {
  add(written: Written): void;
  /** What a command writes by its own options. */
  addBy(invocation: Invocation, place: EditPlace): void;
  /** What a command reads from such a file; undefined when it is none of the line's own. */
  readBy(redirected: string, place: EditPlace): Input | undefined;
  /** What runs when this command does, if it runs a file of the line's own. `command` is its name as given. */
  runBy(command: string, invocation: Invocation, place: EditPlace): readonly Inner[];
};

const FETCHERS: Readonly<Record<string, ReadonlySet<string>>> = {
  curl: namesIn("-o --output"),
  wget: namesIn("-O --output-document"),
};
const FETCHED_BY_NAME = /^-\w*O|^--remote-name/;
/** `#!/usr/bin/env -S node …`, `#!/bin/sh`: the name of the program. */
const SHEBANG = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?([^\s/]+)/;
const PACKAGE_MANAGERS = namesIn("npm pnpm yarn bun");
const RUNS_SCRIPTS = namesIn("source . at batch");
const MAKEFILE = /\/(?:GNUm|m|M)akefile$/;

const operandsOf = (args: readonly Argument[]): readonly string[] =>
  args.map((argument) => argument.text).filter((text) => !text.startsWith("-") && !text.startsWith("+"));

const asScript = (text: string | undefined, what: string): Inner =>
  text === undefined || text.includes(UNKNOWN) ? { type: "opaque", what } : { type: "script", text };

/** Where a download goes: as an option says, or by the last part of its address. */
const fetchedBy = (name: string, args: readonly Argument[]): readonly string[] => {
  const option = Object.hasOwn(FETCHERS, name) ? FETCHERS[name] : undefined;
  if (option === undefined) return [];
  const named = optionValues(args, option);
  if (name !== "wget" && !args.some(({ text }) => FETCHED_BY_NAME.test(text))) return named;
  const address = operandsOf(args).find((operand) => operand.includes("/")) ?? "";
  return [...named, address.slice(address.lastIndexOf("/") + 1)].filter((path) => path !== "");
};

/** `sed -f s.sed`, where the line itself has written `s.sed`: the same as if it came in. */
const withScript = (name: string, text: string): Inner => ({
  type: "command",
  words: [name, "-f", "-"].map(literal),
  input: { text, source: "" },
});

export const createWrittenFiles = (): WrittenFiles => {
  const files = new Map<string, string | undefined>();

  const ranAsProgram = (path: string): readonly Inner[] => {
    const text = files.get(path);
    const language = languageOf(SHEBANG.exec(text ?? "")?.[1] ?? "");
    return text === undefined || language === undefined ? [asScript(text, path)] : [{ type: "code", text, language }];
  };
  const ranByMake = (): readonly Inner[] =>
    [...files].flatMap(([path, text]) => (MAKEFILE.test(path) && text !== undefined ? recipesIn(text) : []));

  const runFile = (name: string, script: string): readonly Inner[] => {
    const text = files.get(script);
    if (RUNS_SCRIPTS.has(name) || SHELLS.has(name)) return [asScript(text, `${name} ${script}`)];
    if (name === "crontab")
      return [asScript(text === undefined ? undefined : withoutFields(text), `crontab ${script}`)];
    if (DATABASE_CLIENTS.has(name))
      return sqlDestroys(text ?? "") ? [{ type: "opaque", what: `${name} ${script}` }] : [];
    const language = languageOf(name);
    return text === undefined || language === undefined ? [] : [{ type: "code", text, language }];
  };

  /** A package manager runs the scripts of the manifest. */
  const ranByManifest = (): readonly Inner[] =>
    [...files].flatMap(([path, text]) =>
      path.endsWith("/package.json") ? stringsIn(text ?? "").map((inner) => asScript(inner, path)) : [],
    );

  return {
    add({ path, text, appends }) {
      if (path.startsWith("/dev/")) return;
      const before = appends && files.has(path) ? files.get(path) : "";
      files.set(path, before === undefined || text === undefined ? undefined : `${before}${text}\n`);
    },
    addBy({ name, args, input }, place) {
      const at = (path: string): string => absolutePath(path, place);
      if (name === "tee") for (const path of operandsOf(args)) files.set(at(path), input?.text);
      if (name === "mv" || name === "cp") {
        const [from = "", to = ""] = operandsOf(args).map(at);
        if (files.has(from)) files.set(to, files.get(from));
      }
      for (const path of fetchedBy(name, args)) files.set(at(path), undefined);
    },
    readBy(redirected, place) {
      const path = absolutePath(redirected, place);
      return files.has(path) ? { text: files.get(path), source: `< ${redirected}` } : undefined;
    },
    runBy(command, invocation, place) {
      if (files.size === 0) return [];
      const { name, args } = invocation;
      const own = files.get(absolutePath(scriptFileOf(invocation) ?? "", place));
      if (own !== undefined) return [withScript(name, own)];
      if (name === "make") return ranByMake();
      if (PACKAGE_MANAGERS.has(name)) return ranByManifest();
      const program = absolutePath(command, place);
      if (command.includes("/") && files.has(program)) return ranAsProgram(program);
      const script = operandsOf(args)
        .map((operand) => absolutePath(operand, place))
        .find((path) => files.has(path));
      return script === undefined ? [] : runFile(name, script);
    },
  };
};
