/** What one call needs of the plan's scope, told by its arguments alone. What cannot be told is never in scope. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { JsonObject } from "../../protocol/json.ts";
import type { Need } from "../machine/scope/scope-match.ts";
import type { StepScope } from "../protocol/step/scope.ts";
import { patchTargets } from "../shell/accept-edits/patch-targets.ts";
import { COMMAND_TOOL } from "./plan-call.ts";
import { realpath } from "./real-place.ts";

type Call = { tool: string; args: JsonObject };

/** `needs`: all of them must be in scope. `unreadable`: no person can help, the arguments must be corrected. */
export type CallNeeds = { needs: readonly Need[] } | { unreadable: string };

const FILES = new Set(["write", "edit"]);
const HARMLESS = new Set(["process"]); // it ends programs that this session started

export function needsOf({ tool, args }: Call, workspace: string): CallNeeds {
  if (HARMLESS.has(tool)) return NOTHING;
  if (tool === COMMAND_TOOL) return commandNeeds(args, workspace);
  if (FILES.has(tool)) return pathNeeds([args["path"]], workspace);
  if (tool === "apply_patch") {
    const patch = args["patch"] ?? args["input"];
    return typeof patch === "string" ? pathNeeds(patchTargets(patch), workspace) : { unreadable: "patch" };
  }
  if (tool === "web_fetch") return hostNeeds(args["url"]);
  return { needs: [{ part: "tools", tool }] };
}

const NOTHING: CallNeeds = { needs: [] };

/** In another folder the same words run something else: there it is the command that goes to that folder first. */
function commandNeeds({ command, cwd }: JsonObject, workspace: string): CallNeeds {
  if (typeof command !== "string" || command.trim() === "") return { unreadable: "command" };
  const plain = command.trim();
  if (cwd === undefined || isWorkspace(cwd, workspace)) return { needs: [{ part: "commands", command: plain }] };
  const folder = typeof cwd === "string" ? insideOf(workspace, cwd) : undefined;
  if (folder === undefined) return { unreadable: "cwd" };
  return { needs: [{ part: "commands", command: `cd ${shellWord(folder)} && ${plain}` }] };
}

const isWorkspace = (cwd: unknown, workspace: string): boolean =>
  typeof cwd === "string" && relative(workspace, resolve(workspace, cwd)) === "";

const shellWord = (folder: string): string => {
  const path = folder.startsWith("-") ? `./${folder}` : folder;
  return /^[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
};

function pathNeeds(paths: readonly unknown[], workspace: string): CallNeeds {
  const needs: Need[] = [];
  for (const given of paths) {
    const path = typeof given === "string" ? insideOf(workspace, given) : undefined;
    if (path === undefined) return { unreadable: `a path inside the workspace: ${String(given).slice(0, 200)}` };
    needs.push({ part: "paths", path });
  }
  return needs.length === 0 ? { unreadable: "a path" } : { needs };
}

/** Absolute, with dots, doubled slashes, backslashes or a drive: it has to be resolved. */
const ODD = /(?:^|\/)\.{0,2}(?:\/|$)|\\|:/;

/** Relative to the workspace; undefined outside of it, and for the workspace itself. */
function insideOf(workspace: string, given: string): string | undefined {
  if (!ODD.test(given)) return given; // most are plain already
  const way = relative(workspace, resolve(workspace, given));
  return way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)
    ? undefined
    : way.split(sep).join("/");
}

function hostNeeds(url: unknown): CallNeeds {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  if (parsed === null || parsed.hostname === "") return { unreadable: "url" };
  const usual = parsed.protocol === "http:" ? 80 : 443;
  const port = parsed.port === "" ? usual : Number(parsed.port);
  return { needs: [{ part: "hosts", host: parsed.hostname.toLowerCase(), port, isUsualPort: port === usual }] };
}

/** For who acts with their own hands: where links would lead elsewhere, the path is another one. */
export function hasLinks(needs: readonly Need[], workspace: string): boolean {
  const root = realpath(workspace);
  return needs.some((need) => need.part === "paths" && root !== undefined && isLed(root, need.path));
}

function isLed(root: string, path: string): boolean {
  const parts = path.split("/");
  for (let count = parts.length; count > 0; count--) {
    const here = resolve(root, ...parts.slice(0, count));
    const real = realpath(here);
    if (real !== undefined) return real !== here;
  }
  return false;
}

/** What a plan would have to declare for these. */
export function scopeFor(needs: readonly Need[]): StepScope {
  const scope: StepScope = {};
  for (const need of needs) scope[need.part] = [...new Set([...(scope[need.part] ?? []), entryOf(need)])];
  return scope;
}

function entryOf(need: Need): string {
  switch (need.part) {
    case "paths":
      return need.path;
    case "commands":
      return need.command;
    case "hosts":
      return need.isUsualPort ? need.host : `${need.host}:${need.port}`;
    case "tools":
      return need.tool;
  }
}
