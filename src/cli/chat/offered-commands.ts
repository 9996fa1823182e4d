/** What can be typed behind a slash, as the gateway offers it at this moment: plugins may be switched on and off meanwhile. */
import type { CommandView } from "../../protocol/methods.ts";
import { LOCAL_COMMANDS } from "./help.ts";
import type { Link } from "./link.ts";

export type OfferedCommands = {
  /** The last list that was read. */
  known(): readonly string[];
  /** Looks again; out of reach of the gateway, what was known stays. */
  look(): Promise<readonly string[]>;
};

const LOCAL = LOCAL_COMMANDS.map(({ name }) => `/${name}`);

export function createOfferedCommands(link: Pick<Link, "call">): OfferedCommands {
  let known: readonly string[] = LOCAL;
  return {
    known: () => known,
    async look() {
      const offered = await link.call("commands.list", {}).catch(() => undefined);
      if (offered !== undefined) known = [...new Set([...LOCAL, ...offered.commands.flatMap(localizedTextOf)])];
      return known;
    },
  };
}

/** Only what this person may say; the words of usage lines are a plugin's, and go to a terminal. */
function localizedTextOf({ name, usage, allowed, subcommands }: CommandView): string[] {
  if (!allowed) return [];
  const forbidden = new Set(subcommands.filter((sub) => !sub.allowed).map((sub) => `/${name} ${sub.name}`));
  const subs = subcommands.map((sub) => `/${name} ${sub.name}`);
  const used = usage.map(completion).filter((words) => words.startsWith(`/${name} `) && PLAIN.test(words));
  return [`/${name}`, ...[...subs, ...used].filter((words) => !forbidden.has(words.split(" ", 2).join(" ")))];
}

/** What can be completed of a usage line: its words before the first placeholder or explanation. */
const completion = (usage: string): string => usage.replace(/\s*(?:[<[|—]|\s-\s)[\s\S]*$/, "").trim();
const PLAIN = /^\/[\w -]+$/;
