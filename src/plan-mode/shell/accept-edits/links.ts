/** Links and copies that a line makes: what it does to the link afterwards, it does to what the link leads to. */
import { namesIn, UNKNOWN } from "./finding.ts";
import type { EditPlace } from "./finding.ts";
import type { Invocation } from "./invocation.ts";
import { absolutePath } from "./protected-paths.ts";

export type Links = {
  /** Learns from a command that links, copies or mounts; true when it made the first link. */
  addBy(invocation: Invocation, place: EditPlace): boolean;
  /** Where a path leads through a link of the line's own. */
  follow(path: string): string | undefined;
  /** The program that a file of the line's own is a link to or a copy of. */
  programAt(path: string, place: EditPlace): string | undefined;
};

const LINKS_MAX = 100;
const HOPS_MAX = 8;
const COPIES = namesIn("cp install mv");

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

type Pair = { readonly from: string; readonly to: string };

/** Operands as pairs; whether the last one is a folder cannot be known, so that both readings are kept. */
const pairsOf = ({ args }: Invocation): readonly Pair[] => {
  const texts = args.map((argument) => argument.text);
  const at = texts.findIndex((text) => /^-\w*t$|^--target-directory$/.test(text));
  const folder =
    (at === -1 ? undefined : texts[at + 1]) ??
    /^--target-directory=(.*)/.exec(texts.find((text) => text.startsWith("--target-directory=")) ?? "")?.[1];
  const operands = texts.filter((text, index) => !text.startsWith("-") && (at === -1 || index !== at + 1));
  if (folder !== undefined) return operands.map((from) => ({ from, to: `${folder}/${baseOf(from)}` }));
  const to = operands.at(-1);
  if (to === undefined) return [];
  if (operands.length === 1) return [{ from: to, to: baseOf(to) }];
  return operands.slice(0, -1).flatMap((from) => [
    { from, to },
    { from, to: `${to}/${baseOf(from)}` },
  ]);
};

const isSymbolic = ({ name, args }: Invocation): boolean =>
  name === "ln" && args.some(({ text }) => /^-\w*s|^--symbolic$/.test(text));

const makesLink = ({ name, args }: Invocation): boolean => {
  if (name === "ln" || name === "link") return true;
  if (name === "cp") return args.some(({ text }) => /^-\w*[sl]|^--(?:symbolic-)?link$/.test(text));
  return (name === "mount" && args.some(({ text }) => /^--r?bind$|^-B$|\bbind\b/.test(text))) || name === "bindfs";
};

export const createLinks = (): Links => {
  const links = new Map<string, string>();
  const programs = new Map<string, string>();

  const once = (path: string): string | undefined => {
    for (const [link, target] of links)
      if (path === link || path.startsWith(`${link}/`))
        return `${target === "/" ? "" : target}${path.slice(link.length)}`;
    return undefined;
  };

  return {
    addBy(invocation, place) {
      const linking = makesLink(invocation);
      if (!linking && !COPIES.has(invocation.name)) return false;
      const before = links.size;
      for (const { from, to } of pairsOf(invocation)) {
        if (links.size + programs.size >= LINKS_MAX || from.includes(UNKNOWN) || to.includes(UNKNOWN)) continue;
        const link = absolutePath(to, place);
        // A symbolic link is read from the folder in which it stands.
        const target = absolutePath(from, isSymbolic(invocation) ? { ...place, cwd: folderOf(link) } : place);
        if (linking && target !== link) links.set(link, target);
        programs.set(link, programs.get(target) ?? baseOf(from));
      }
      return before === 0 && links.size > 0;
    },
    follow(path) {
      let at = once(path);
      for (let hops = 1; at !== undefined && hops < HOPS_MAX; hops += 1) {
        const next = once(at);
        if (next === undefined) return at;
        at = next;
      }
      return at;
    },
    programAt: (path, place) => (programs.size === 0 ? undefined : programs.get(absolutePath(path, place))),
  };
};
