import { expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { needsOf, scopeFor } from "./scope-call.ts";

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
  ["a:/../../x", undefined],
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

it.each<[string, JsonObject, unknown]>([
  ["edit", { path: "src/a.ts" }, { needs: [{ part: "paths", path: "src/a.ts" }] }],
  ["apply_patch", { input: "*** Add File: a.ts" }, { needs: [{ part: "paths", path: "a.ts" }] }],
  ["exec", { command: "  make  " }, { needs: [{ part: "commands", command: "make" }] }],
  ["process", { id: "p1" }, { needs: [] }],
  ["message", { to: "x" }, { needs: [{ part: "tools", tool: "message" }] }],
])("[BY-02] a call of %s needs what it touches: %j", (tool, args, needs) => {
  expect(needsOf({ tool, args }, "/w")).toEqual(needs);
});

it.each([
  ["https://a.org/x", 443, true],
  ["https://a.org:444/", 444, false],
  ["http://a.org/", 80, true],
  ["http://a.org:443/", 443, false],
  ["https://a.org:80/", 80, false],
])("[BY-02] the address %s is a host and a port", (url, port, isUsualPort) => {
  expect(needsOf({ tool: "web_fetch", args: { url } }, "/w")).toEqual({
    needs: [{ part: "hosts", host: "a.org", port, isUsualPort }],
  });
});

it("[BY-02] what a plan would have to declare is said once, part by part", () => {
  expect(
    scopeFor([
      { part: "paths", path: "a" },
      { part: "paths", path: "b" },
      { part: "paths", path: "a" },
      { part: "commands", command: "make" },
      { part: "hosts", host: "a.org", port: 443, isUsualPort: true },
      { part: "hosts", host: "a.org", port: 444, isUsualPort: false },
      { part: "tools", tool: "message" },
    ]),
  ).toEqual({ paths: ["a", "b"], commands: ["make"], hosts: ["a.org", "a.org:444"], tools: ["message"] });
});
