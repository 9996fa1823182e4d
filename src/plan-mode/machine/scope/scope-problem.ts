/** Why an entry of a scope cannot be taken: it would open more than it says, or something that no plan opens. */
import { isGlob } from "../../../protocol/calls/confinement.ts";
import { ANY_WORDS, type ScopePart, type StepScope } from "../../protocol/step/scope.ts";
import { SCOPE_PARTS } from "../../protocol/step/step-lines.ts";

/** The first entry that cannot be taken, with the reason; undefined where all can. */
export function scopeProblem(scope: StepScope): string | undefined {
  for (const part of SCOPE_PARTS) {
    for (const entry of scope[part] ?? []) {
      const why = hidden(entry) ?? PROBLEMS[part](entry);
      if (why !== undefined) return `scope.${part} "${entry}": ${why}`;
    }
  }
  return undefined;
}

/** Whoever signs must see every character. */
const hidden = (entry: string): string | undefined =>
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(entry) ? "it holds a hidden or control character" : undefined;

const PROBLEMS: Readonly<Record<ScopePart, (entry: string) => string | undefined>> = {
  paths: pathProblem,
  commands: (entry) =>
    entry === ANY_WORDS.trim() || /^[*?\s]+$/.test(entry) ? "it names no command; write the command out" : undefined,
  hosts: hostProblem,
  tools: toolProblem,
};

/** A command that proves something is signed like a declared one, but as it stands: it opens no further words. */
export const proofProblem = (command: string): string | undefined =>
  hidden(command) ?? (command.endsWith(ANY_WORDS) ? "a proof is one exact command, without <words>" : undefined);

export function pathProblem(path: string): string | undefined {
  if (/^[~/\\]|^[A-Za-z]:/.test(path)) return "it is not relative to the workspace";
  if (path.includes("\\")) return "folders are separated by /";
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return "it leads out of its folder (..)";
  if (parts.length === 0) return "it names the whole workspace; name the folders that the step changes";
  if (parts.some((part) => part.includes("**"))) return "** matches everything below; name the folder instead";
  if (parts.slice(0, -1).some(isGlob)) return "* and ? may stand in the last part only";
  const last = parts.at(-1) ?? "";
  if (isGlob(last) && path.endsWith("/")) return "a pattern names files; name the folder without * and ?";
  return isGlob(last) && !/[^*?.]/.test(last) ? "it matches every file; name the folder instead" : undefined;
}

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

function hostProblem(host: string): string | undefined {
  if (host === "*") return undefined;
  return HOST.test(host) ? undefined : "a host is written as name, *.name or name:port, without https://";
}

const BY_ARGUMENTS: Readonly<Record<string, ScopePart>> = {
  exec: "commands",
  write: "paths",
  edit: "paths",
  apply_patch: "paths",
  web_fetch: "hosts",
};

function toolProblem(tool: string): string | undefined {
  const part = Object.hasOwn(BY_ARGUMENTS, tool) ? BY_ARGUMENTS[tool] : undefined;
  if (part !== undefined) return `this tool is limited by what it is called with; declare scope.${part} instead`;
  return /^[\w.:-]+$/.test(tool) || /^mcp__[\w-]+?__\*$/.test(tool)
    ? undefined
    : "a tool is written by its exact name, or as mcp__server__* for all of one server";
}
