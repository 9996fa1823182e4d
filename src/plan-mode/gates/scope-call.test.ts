import { expect, it } from "vitest";
import { needsOf } from "./scope-call.ts";

it.each([
  ["src/a.ts", "src/a.ts"],
  ["./src//a.ts", "src/a.ts"],
  ["src/../docs/a.md", "docs/a.md"],
  ["/w/src/a.ts", "src/a.ts"],
  [".env", ".env"],
  ["src/...", "src/..."],
  ["../x", undefined],
  ["src/../../x", undefined],
  ["/etc/passwd", undefined],
  [".", undefined],
  ["", undefined],
])("[BY-02] the path %j is judged as %j", (path, judged) => {
  const needs = needsOf({ tool: "write", args: { path } }, "/w");
  expect("needs" in needs ? needs.needs : undefined).toEqual(
    judged === undefined ? undefined : [{ part: "paths", path: judged }],
  );
});

it.each([
  [undefined, "make"],
  [".", "make"],
  ["/w/", "make"],
  ["src", "cd src && make"],
  ["/w/src/", "cd src && make"],
  ["a b/it's", String.raw`cd 'a b/it'\''s' && make`],
  ["-x", "cd ./-x && make"],
  ["..", undefined],
  ["/etc", undefined],
])("[BY-02] a command in the folder %j is judged as %j", (cwd, judged) => {
  const needs = needsOf({ tool: "exec", args: { command: "make", ...(cwd === undefined ? {} : { cwd }) } }, "/w");
  expect("needs" in needs ? needs.needs : undefined).toEqual(
    judged === undefined ? undefined : [{ part: "commands", command: judged }],
  );
});

it("[BY-02] every target of a patch counts, and what cannot be read is in no scope", () => {
  const patch = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b/c.ts\n@@\n-x\n+y\n*** End Patch";
  expect(needsOf({ tool: "apply_patch", args: { patch } }, "/w")).toEqual({
    needs: [
      { part: "paths", path: "a.ts" },
      { part: "paths", path: "b/c.ts" },
    ],
  });
  const odd = [
    needsOf({ tool: "apply_patch", args: {} }, "/w"),
    needsOf({ tool: "exec", args: { command: " " } }, "/w"),
  ];
  expect(odd).toEqual([{ unreadable: "patch" }, { unreadable: "command" }]);
  expect(needsOf({ tool: "web_fetch", args: { url: "http://Box.local:8080/x" } }, "/w")).toEqual({
    needs: [{ part: "hosts", host: "box.local", port: 8_080, isUsualPort: false }],
  });
});
