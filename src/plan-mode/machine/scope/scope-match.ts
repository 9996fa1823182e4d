/** A scope made ready for matching. It is asked before every change, so each scope is prepared once. */
import { ANY_WORDS, type StepScope } from "../../protocol/step/scope.ts";
import { pathCover } from "../../../protocol/calls/confinement.ts";

/** What one call needs of a scope. `path` is relative to the workspace, without dots. */
export type Need =
  | { part: "paths"; path: string }
  | { part: "commands"; command: string }
  | { part: "hosts"; host: string; port: number; isUsualPort: boolean }
  | { part: "tools"; tool: string };

export type ScopeMatcher = {
  covers(need: Need): boolean;
  /** As they are declared. */
  paths: readonly string[];
  /** Whether commands have the network: no host can be kept from a program that has it. */
  network: boolean;
};

export function scopeMatcher(scopes: readonly StepScope[]): ScopeMatcher {
  const all = (part: keyof StepScope): string[] => [...new Set(scopes.flatMap((scope) => scope[part] ?? []))];
  const paths = all("paths");
  const coversPath = pathCover(paths);
  const commands = new Set(all("commands"));
  const openCommands = [...commands]
    .filter((command) => command.endsWith(ANY_WORDS))
    .map((command) => command.slice(0, 1 - ANY_WORDS.length));
  const hosts = all("hosts").map((host) => host.toLowerCase());
  const tools = all("tools");
  const servers = tools.filter((tool) => tool.endsWith("__*")).map((tool) => tool.slice(0, -1));
  const toolNames = new Set(tools);
  return {
    paths,
    network: hosts.includes("*"),
    covers(need) {
      switch (need.part) {
        case "paths":
          return coversPath(need.path);
        case "commands":
          return commands.has(need.command) || openCommands.some((begin) => hasPlainWords(need.command, begin));
        case "hosts":
          return hosts.some((host) => isHost(host, need));
        case "tools":
          return toolNames.has(need.tool) || servers.some((server) => need.tool.startsWith(server));
      }
    },
  };
}

/** Words that a shell takes as they are, none of them an option. */
const hasPlainWords = (command: string, begin: string): boolean =>
  command.length > begin.length &&
  command.length < 4_000 &&
  command.startsWith(begin) &&
  command
    .slice(begin.length)
    .split(" ")
    .every((word) => PLAIN_WORD.test(word));

const PLAIN_WORD = /^[\w@%+:,./][\w@%+=:,./-]*$/;

function isHost(declared: string, { host, port, isUsualPort }: Extract<Need, { part: "hosts" }>): boolean {
  if (declared === "*") return true;
  const [, name = declared, given] = /^(.*?)(?::(\d+))?$/.exec(declared) ?? [];
  if (given === undefined ? !isUsualPort : Number(given) !== port) return false;
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}
