/** The files that a call can change, where its tool and its arguments say so; undefined: any. */
import { isAbsolute, relative, sep } from "node:path";
import type { JsonObject } from "../../protocol/json.ts";

const MARKER = /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): (.*)$/gm;

export function targetFiles(tool: string, args: JsonObject, workspace: string): string[] | undefined {
  const named = namedBy(tool, args);
  if (named === undefined || named.length === 0) return undefined;
  const paths = named.map((path) => within(path, workspace));
  return paths.every((path) => path !== undefined) ? [...new Set(paths)] : undefined;
}

function namedBy(tool: string, args: JsonObject): string[] | undefined {
  const { path, patch } = args;
  if (tool === "write" || tool === "edit") return typeof path === "string" ? [path] : undefined;
  if (tool !== "apply_patch" || typeof patch !== "string") return undefined;
  return [...patch.matchAll(MARKER)].map(([, name = ""]) => name.trim());
}

/** Undefined where it leads out, or is written in a way that only the file system can resolve. */
function within(path: string, workspace: string): string | undefined {
  const plain = isAbsolute(path) ? relative(workspace, path) : path;
  const parts = plain.split(sep).filter((part) => part !== "." && part !== "");
  return parts.length === 0 || parts.includes("..") || isAbsolute(plain) ? undefined : parts.join("/");
}
