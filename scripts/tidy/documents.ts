/** What a reader relies on: short front pages, links that lead somewhere, commands that exist, nothing of one machine. */
import { dirname, join, normalize } from "node:path";
import type { SourceFile } from "./tree.ts";

const LINES_MAX: Record<string, number> = { "README.md": 150, "AGENTS.md": 80 };

/** What people type, plus what npm itself calls (start, prepare) and the road to new packages (add). */
const VERBS = [
  "add",
  "bench",
  "build",
  "check",
  "dev",
  "fix",
  "mutation",
  "prepare",
  "release",
  "start",
  "test",
  "test:attack",
  "test:long",
];

const NPM_OWN = new Set(["ci", "install", "i", "exec", "pack", "link", "uninstall", "update", "ls", "version", "run"]);

export function documentProblems(files: SourceFile[], registryHost?: string): string[] {
  const documents = files.filter((file) => file.path.endsWith(".md"));
  return [
    ...lengthProblems(files),
    ...verbProblems(files),
    ...documents.flatMap((file) => [
      ...linkProblems(file, files),
      ...packagedLinkProblems(file, packagedOf(files)),
      ...commandProblems(file, files),
    ]),
    ...files.flatMap((file) => leakProblems(file, registryHost)),
  ];
}

function lengthProblems(files: SourceFile[]): string[] {
  return Object.entries(LINES_MAX).flatMap(([path, max]) => {
    const file = files.find((candidate) => candidate.path === path);
    if (!file) return [`${path}: is missing`];
    const lines = file.text.replace(/\n$/, "").split("\n").length;
    return lines > max ? [`${path}: ${lines} lines, at most ${max}`] : [];
  });
}

function packageJson(files: SourceFile[]): Record<string, unknown> {
  const json: unknown = JSON.parse(files.find((file) => file.path === "package.json")?.text ?? "{}");
  return typeof json === "object" && json !== null ? { ...json } : {};
}

function scriptsOf(files: SourceFile[]): string[] {
  const { scripts } = packageJson(files);
  return typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [];
}

/** The places whose files are in the package, with those that npm puts there by itself. */
function packagedOf(files: SourceFile[]): string[] {
  const { files: named } = packageJson(files);
  return Array.isArray(named) ? ["README.md", "LICENSE", "package.json", ...named.map(String)] : [];
}

function verbProblems(files: SourceFile[]): string[] {
  const scripts = scriptsOf(files);
  return [
    ...VERBS.filter((verb) => !scripts.includes(verb)).map((verb) => `package.json: the script ${verb} is missing`),
    ...scripts.filter((verb) => !VERBS.includes(verb)).map((verb) => `package.json: ${verb} is one script too many`),
  ];
}

function targetsIn(text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(\s*<?([^)\s>]+)[^)]*\)|^\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm)];
  return links
    .map(([, inline, reference]) => (inline ?? reference ?? "").replace(/[#?].*$/, ""))
    .filter((target) => target !== "" && !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

function linkProblems({ path, text }: SourceFile, files: SourceFile[]): string[] {
  return targetsIn(text)
    .filter((target) => !exists(target, path, files))
    .map((target) => `${path}: the link ${target} leads nowhere`);
}

/** Documents that users have by the package; the front page stands on the site of the source too. */
function packagedLinkProblems({ path, text }: SourceFile, packaged: string[]): string[] {
  if (!path.startsWith("docs/") || packaged.length === 0) return [];
  const isPackaged = (place: string): boolean => packaged.some((one) => place === one || place.startsWith(`${one}/`));
  return targetsIn(text)
    .filter((target) => !isPackaged(placeOf(target, path)))
    .map((target) => `${path}: the link ${target} leads out of the package`);
}

function placeOf(target: string, from: string): string {
  const to = decodeURIComponent(target);
  return normalize(to.startsWith("/") ? to.slice(1) : join(dirname(from), to)).replace(/\/$/, "");
}

function exists(target: string, from: string, files: SourceFile[]): boolean {
  const path = placeOf(target, from);
  return path === "." || files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
}

const withoutCode = (text: string): string => text.replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, "").replace(/`[^`\n]*`/g, "");

function commandProblems({ path, text }: SourceFile, files: SourceFile[]): string[] {
  if (path === "CHANGELOG.md") return []; // history names what once was
  const scripts = scriptsOf(files);
  const code = [...text.matchAll(/^ *(```|~~~)[\s\S]*?^ *\1|`[^`\n]*`/gm)].map(([block]) => block).join("\n");
  const verbs = [...code.matchAll(/\bnpm (?:run(?:-script)? )?([a-z][\w:-]*)/g)].map(([, verb = ""]) => verb);
  return [...new Set(verbs)]
    .filter((verb) => !scripts.includes(verb) && !NPM_OWN.has(verb))
    .map((verb) => `${path}: npm has no ${verb} here`);
}

const MACHINE_PATH = /(?<![\w.$}>*-])\/(?:work|farm)\//;
const REGISTRY =
  /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.|https?:\/\/[\w.-]*(?:registry|artifactory|nexus|verdaccio)/i;
const REGISTRY_SETTING = /^\s*(?:@[\w-]+:)?registry\s*=|^\s*\/\//;
const FETCHED_FROM = /"resolved"\s*:/;

/** Paths of one machine and addresses of one network would follow the code to everybody. */
function leakProblems({ path, text }: SourceFile, registryHost: string | undefined): string[] {
  const lines = text.split("\n");
  const at = (what: string, isLeak: (line: string) => boolean): string[] => {
    const index = lines.findIndex(isLeak);
    return index === -1 ? [] : [`${path}:${index + 1}: ${what}`];
  };
  const namesRegistry = (line: string): boolean =>
    REGISTRY.test(line) ||
    (path.endsWith(".npmrc") && REGISTRY_SETTING.test(line)) ||
    (registryHost !== undefined && line.includes(registryHost));
  return [
    ...at("names a path of one machine", (line) => MACHINE_PATH.test(line)),
    ...at("names a package registry", namesRegistry),
    ...at(
      "says where a package was fetched from",
      (line) => path.endsWith("package-lock.json") && FETCHED_FROM.test(line),
    ),
  ];
}
