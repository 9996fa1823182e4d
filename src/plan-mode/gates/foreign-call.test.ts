import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { judgeInEdits } from "./edit-call.ts";
import { declaredDestructive } from "./foreign-call.ts";

const PLACE = { cwd: "/w", home: "/home/u" };

const judged = (tool: string, args: JsonObject = {}): string => {
  const verdict = judgeInEdits({ tool, args }, PLACE);
  return verdict.allowed ? "passes" : `${verdict.class}: ${verdict.code}`;
};

describe("a tool of an MCP server, after approval with edits", () => {
  it.each([
    ["delete_file", "destructive: tool-name"],
    ["bulk_delete", "destructive: tool-name"],
    ["deletefile", "destructive: tool-name"], // names come in lower case, without their capitals
    ["drop_table", "destructive: tool-name"],
    ["droptable", "destructive: tool-name"],
    ["remove_label", "destructive: tool-name"],
    ["truncate_log", "destructive: tool-name"],
    ["purge", "destructive: tool-name"],
    ["create_issue", "passes"],
    ["write_file", "passes"],
    ["update_page", "passes"],
    ["get_deleted_items", "passes"],
    ["list_removed", "passes"],
    ["find_and_delete_preview_of", "passes"], // begins with a verb that reads
    ["dropdown_select", "passes"],
    ["dropbox_upload", "passes"],
    ["mark_as_deleted", "passes"],
    ["format_text", "passes"],
  ])("[AE-02, AE-06] is held for an order to destroy in its name: %s", (name, expected) => {
    expect(judged(`mcp__server__${name}`)).toBe(expected);
  });

  it("[AE-06] is not held for the name of its server, and tools of ours are not judged by theirs", () => {
    expect(judged("mcp__delete_things__add")).toBe("passes");
    expect(judged("memory_delete")).toBe("passes");
  });

  it.each<[JsonObject, string]>([
    [{ command: "rm -rf x" }, "destructive: removes"],
    [{ command: "npm test" }, "passes"],
    [{ sql: "DROP TABLE users" }, "destructive: sql"],
    [{ query: "select 1" }, "passes"],
    [{ statements: ["select 1", "delete from users"] }, "destructive: sql"],
    [{ path: "~/.holdpoint/config.yaml", content: "x" }, "config-change: protected-path"],
    [{ files: [{ path: "/home/u/.claude/settings.json" }] }, "config-change: protected-path"],
    [{ path: "src/a.ts", content: "rm -rf / DROP TABLE users ~/.holdpoint" }, "passes"],
    [{ text: "DROP TABLE users" }, "passes"],
  ])("[AE-02, AE-04] is held for what its arguments order, by their names: %j", (args, expected) => {
    expect(judged("mcp__server__run", args)).toBe(expected);
  });

  it.each<[JsonObject, string]>([
    [{ a: { b: { c: { command: "rm -rf x" } } } }, "destructive: removes"], // four levels below the arguments
    [{ a: { b: { c: { d: { command: "rm -rf x" } } } } }, "passes"],
    [{ a: [[[{ command: "rm -rf x" }]]] }, "passes"], // a list is a level too
    [{ a: [[{ command: "rm -rf x" }]] }, "destructive: removes"],
    [{ path: "src/.claufile://de/settings.json" }, "passes"], // an address begins with its scheme
    [{ a: null, b: 3, c: true, command: "rm -rf x" }, "destructive: removes"],
    [{ list: Array.from({ length: 199 }, () => "x"), command: "rm -rf x" }, "destructive: removes"],
    [{ list: Array.from({ length: 200 }, () => "x"), command: "rm -rf x" }, "passes"],
    [{ path: "file:///home/u/.holdpoint/config.yaml" }, "config-change: protected-path"],
    [{ path: "notes/file://home" }, "passes"],
    [{ commands: "rm -rf x" }, "passes"],
    [{ my_command: "rm -rf x" }, "passes"],
    [{ query_text: "DROP TABLE a" }, "passes"],
    [{ my_query: "DROP TABLE a" }, "passes"],
    [{ my_path: "~/.holdpoint/config.yaml" }, "passes"],
    [{ path_hint: "~/.holdpoint/config.yaml" }, "passes"],
  ])(
    "[AE-02, AE-06] looks so deep and at so many, and only under names that say what they are: %j",
    (args, expected) => {
      expect(judged("mcp__server__run", args)).toBe(expected);
    },
  );

  it.each([
    ["mcp__server__delete-all", "destructive: tool-name"],
    ["mcp__server__getter_delete", "destructive: tool-name"],
    ["mcp__server__widget_delete", "destructive: tool-name"],
    ["mcp__server__undelete", "passes"],
    ["mcp__server__.delete", "destructive: tool-name"],
    ["mcp__server___delete", "destructive: tool-name"],
    ["mcp__server__get.delete_preview", "passes"],
    ["mcp__server__get", "passes"],
    ["mcp__s__get__s__delete", "passes"], // the first is the server, all that follows is the name
    ["mcp__server__deleter", "passes"],
    ["mcp__server__removal", "passes"],
    ["mcp__server__removers", "passes"],
    ["mcp__server__deletedata", "destructive: tool-name"],
    ["mcp__server__deleterecord", "destructive: tool-name"], // only the whole ending makes it a noun
    ["mcp__server__purgersync", "destructive: tool-name"],
    ["mcp__server__removeall", "destructive: tool-name"],
    ["mcp__server__alarm", "passes"],
    ["mcp__server__raindrop", "passes"],
    ["mcp__server__drops", "passes"],
    ["mcp__server__raindroptable", "passes"],
    ["my_mcp__server__delete", "passes"],
    ["unknown_tool", "passes"],
  ])("[AE-02, AE-06] reads the words of a name, whole: %s", (tool, expected) => {
    expect(judged(tool)).toBe(expected);
  });

  it("[AE-02, AE-03] says what it matched and what to do", () => {
    expect(judgeInEdits({ tool: "mcp__s__run", args: { sql: `DROP TABLE ${"a".repeat(300)}` } }, PLACE)).toEqual({
      allowed: false,
      class: "destructive",
      code: "sql",
      matched: `sql: DROP TABLE ${"a".repeat(189)}`,
      reason: "This tool removes or erases something. Ask the person with ask_user_question before doing it.",
    });
    expect(declaredDestructive("mcp__s__x")).toMatchObject({ code: "destructive-hint", matched: "mcp__s__x" });
  });

  it.each([
    ["write", {}, "path"],
    ["edit", { path: "   " }, "path"],
    ["exec", { command: 3 }, "command"],
    ["apply_patch", { patch: 3 }, "patch or input"],
  ])("[AE-02] holds a call of ours whose target cannot be read: %s %j", (tool, args, matched) => {
    expect(judgeInEdits({ tool, args }, PLACE)).toEqual({
      allowed: false,
      class: "unreadable",
      code: "invalid-arguments",
      matched,
      reason: "What the call would touch cannot be read from its arguments. Correct them and call it again.",
    });
  });

  it("[AE-04] reads a patch under either of its names", () => {
    const patch = "*** Begin Patch\n*** Delete File: /home/u/.holdpoint/config.yaml\n*** End Patch";
    for (const args of [{ patch }, { input: patch }, { patch: 3, input: patch }])
      expect(judgeInEdits({ tool: "apply_patch", args }, PLACE)).toMatchObject({ class: "config-change" });
  });

  it("[AE-04] holds a change of the configuration by the tool that is there for it, and lets it be read", () => {
    const config = (args: JsonObject) => judgeInEdits({ tool: "config", args }, PLACE);
    expect(config({ action: "apply", path: "planMode.enabled" })).toEqual({
      allowed: false,
      class: "config-change",
      code: "config-tool",
      matched: "planMode.enabled",
      reason: "This changes the gateway's configuration. Ask the person with ask_user_question.",
    });
    expect(config({ action: "apply", path: "x".repeat(300) })).toMatchObject({ matched: "x".repeat(200) });
    expect(config({ action: "apply" })).toMatchObject({ matched: "the configuration" });
    expect(config({ action: "get", path: "planMode.enabled" })).toEqual({ allowed: true });
  });

  it("[GW-10] counts a file that is emptied as erased where that needs a signature of its own", () => {
    const strict = { workspace: "/w", isFolder: () => false };
    const known = (path: string) => (path === "/w/a.txt" ? path : undefined);
    const emptied = (args: JsonObject, more: object = {}, tool = "write") =>
      judgeInEdits({ tool, args }, { ...PLACE, cwd: "/w", strict, realpath: known, ...more });
    expect(emptied({ path: "a.txt", content: "" })).toEqual({
      allowed: false,
      class: "destructive",
      code: "empties",
      matched: "write with no content",
      reason: "This empties a file. Ask the person with ask_user_question before doing it.",
    });
    expect(emptied({ path: "a.txt", content: "x" })).toEqual({ allowed: true });
    expect(emptied({ path: "b.txt", content: "" })).toEqual({ allowed: true }); // it is not there yet
    expect(emptied({ path: "a.txt", content: "" }, { strict: undefined })).toEqual({ allowed: true });
    expect(emptied({ path: "a.txt", content: "" }, {}, "edit")).toEqual({ allowed: true });
    expect(emptied({ path: "a.txt", content: "" }, { realpath: undefined })).toEqual({ allowed: true });
    expect(emptied({ path: 7, content: "" })).toMatchObject({ code: "invalid-arguments" });
  });
});
