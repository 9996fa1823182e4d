/** One call against the accept-edits rules, by its arguments alone (AE-02…AE-04, AE-06). */
import { resolve } from "node:path";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { EditCall, EditPlace } from "../shell/shell-gate.ts";
import type { EditCallVerdict, HeldInEdits } from "./edit-verdict.ts";
import { isForeign, judgeForeign } from "./foreign-call.ts";
import { shellGate } from "./loaded-shell-gate.ts";

const ALLOWED: EditCallVerdict = { allowed: true };

type Telling = { names: readonly string[]; toCall: (text: string) => EditCall };

/** Which arguments of which tool say what the call touches. Another tool of ours is none of the gate's business. */
const TELLING: Readonly<Record<string, Telling>> = {
  exec: { names: ["command"], toCall: (command) => ({ tool: "exec", command }) },
  write: { names: ["path"], toCall: (path) => ({ tool: "write", path }) },
  edit: { names: ["path"], toCall: (path) => ({ tool: "edit", path }) },
  apply_patch: { names: ["patch", "input"], toCall: (patch) => ({ tool: "apply_patch", patch }) },
};

type Call = { tool: string; args: JsonObject };

export function judgeInEdits({ tool, args }: Call, place: EditPlace): EditCallVerdict {
  if (tool === CONFIG_TOOL) return args["action"] === "apply" ? configChange(args["path"]) : ALLOWED;
  const telling = Object.hasOwn(TELLING, tool) ? TELLING[tool] : undefined;
  if (telling === undefined) return isForeign(tool) ? judgeForeign({ tool, args }, place) : ALLOWED;
  const { names, toCall } = telling;
  const text = names.map((name) => args[name]).find((value) => typeof value === "string");
  if (emptiesFile({ tool, args }, place)) return EMPTIES;
  return typeof text === "string" && text.trim() !== ""
    ? shellGate().judgeAcceptEdits(toCall(text), place)
    : unreadable(names);
}

/** Where what could destroy something needs a signature of its own: as `: > file` does, it leaves nothing behind. */
function emptiesFile({ tool, args }: Call, { strict, realpath, cwd }: EditPlace): boolean {
  const { path, content } = args;
  if (strict === undefined || tool !== "write" || content !== "" || typeof path !== "string") return false;
  return realpath?.(resolve(cwd, path)) !== undefined;
}

const EMPTIES: HeldInEdits = {
  allowed: false,
  class: "destructive",
  code: "empties",
  matched: "write with no content",
  reason: "This empties a file. Ask the person with ask_user_question before doing it.",
};

const CONFIG_TOOL = "config";

const configChange = (path: Json | undefined): HeldInEdits => ({
  allowed: false,
  class: "config-change",
  code: "config-tool",
  matched: typeof path === "string" ? path.slice(0, 200) : "the configuration",
  reason: "This changes the gateway's configuration. Ask the person with ask_user_question.",
});

const unreadable = (names: readonly string[]): HeldInEdits => ({
  allowed: false,
  class: "unreadable",
  code: "invalid-arguments",
  matched: names.join(" or "),
  reason: "What the call would touch cannot be read from its arguments. Correct them and call it again.",
});
