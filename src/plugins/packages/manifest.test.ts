import { describe, expect, it } from "vitest";
import { askOf, beyondAgreed, parseManifest } from "./manifest.ts";

const GOOD = {
  id: "deploy",
  name: "Deploy",
  version: "1.0.0",
  description: "Deploys wait for a person.",
  entry: "index.js",
  sdk: 1,
};
const read = (manifest: object) => parseManifest(JSON.stringify(manifest));
const problem = (text: string) => {
  const result = parseManifest(text);
  return result.ok ? "none" : result.problem;
};

describe("manifests", () => {
  it("[PG-01] are read with their defaults", () => {
    expect(read(GOOD)).toEqual({
      ok: true,
      manifest: { ...GOOD, trust: "ordinary", needs: [], commands: [], tools: [], policies: [], hooks: [], ui: [] },
    });
  });

  it.each([
    ["no JSON", "{", /^holdpoint\.plugin\.json cannot be used: it is no JSON/],
    ["an endless one", " ".repeat(256 * 1024 + 1), /is larger than 262144 bytes/],
    ["one that is nested without end", "[".repeat(100_000), /it is no JSON|nested too deeply/],
    ["a deep one", `${"[".repeat(30)}${"]".repeat(30)}`, /nested too deeply/],
    ["no object", "[]", /the whole: Invalid input: expected object/],
    ["an unknown key", JSON.stringify({ ...GOOD, permissions: "all" }), /the whole: Unrecognized key: "permissions"/],
    ["an entry outside", JSON.stringify({ ...GOOD, entry: "../index.js" }), /entry: a \.js file inside the plugin/],
    ["an absolute entry", JSON.stringify({ ...GOOD, entry: "/index.js" }), /entry: a \.js file inside the plugin/],
    ["a TypeScript entry", JSON.stringify({ ...GOOD, entry: "index.ts" }), /entry: a \.js file inside the plugin/],
    ["an id with a path in it", JSON.stringify({ ...GOOD, id: "../plan-mode" }), /id: small letters/],
    ["an id in other letters", JSON.stringify({ ...GOOD, id: "plаn-mode" }), /id: small letters/],
    ["an id that every table knows", JSON.stringify({ ...GOOD, id: "constructor" }), /id: small letters/],
    [
      "a description of two lines",
      JSON.stringify({ ...GOOD, description: "nice\n/plan accept — harmless" }),
      /description: one line/,
    ],
    ["a name with a control character", JSON.stringify({ ...GOOD, name: "a\u001b[2Jb" }), /name: one line/],
    ["another SDK", JSON.stringify({ ...GOOD, sdk: 2 }), /sdk: /],
    ["an unknown need", JSON.stringify({ ...GOOD, needs: ["root"] }), /needs\[0\]: /],
    [
      "an unknown scope",
      JSON.stringify({ ...GOOD, commands: [{ name: "x", description: "y", requiredScopes: ["all"] }] }),
      /commands\[0\]\.requiredScopes\[0\]: /,
    ],
    [
      "a command twice",
      JSON.stringify({
        ...GOOD,
        commands: [
          { name: "x", description: "y" },
          { name: "x", description: "z" },
        ],
      }),
      /declares the command \/x twice/,
    ],
  ])("[PG-01] refuse %s, and say where", (_what, text, expected) => {
    expect(problem(text)).toMatch(expected);
  });

  it("[PG-01] lose keys that name a prototype, and change none", () => {
    const text = JSON.stringify(GOOD).replace(
      "{",
      '{"__proto__": {"trust": "trusted"}, "constructor": {"prototype": {"x": 1}}, ',
    );
    expect(parseManifest(text)).toEqual(read(GOOD));
    expect(({} as Record<string, unknown>)["trust"]).toBeUndefined();
  });

  it("[PG-01] name what nobody has agreed to yet, and nothing else", () => {
    const before = read({ ...GOOD, needs: ["injections"], commands: [{ name: "deploy", description: "x" }] });
    const after = read({
      ...GOOD,
      trust: "trusted",
      needs: ["injections", "network"],
      commands: [{ name: "deploy", description: "other words", requiredScopes: ["operator.read"] }],
      tools: [{ name: "roll_out", effect: "write" }],
      policies: ["freeze"],
      hooks: ["before_tool_call"],
    });
    if (!before.ok || !after.ok) throw new Error("no manifests");
    const agreed = askOf(before.manifest);
    expect(beyondAgreed(agreed, null)).toEqual(["the need injections", "the command /deploy (operator.write)"]);
    expect(beyondAgreed(agreed, agreed)).toEqual([]);
    expect(beyondAgreed(askOf(after.manifest), agreed)).toEqual([
      "to run trusted, inside the gateway",
      "the need network",
      "the command /deploy (operator.read)",
      "the tool roll_out (write)",
      "the policy freeze",
      "the hook before_tool_call",
    ]);
    expect(beyondAgreed(agreed, askOf(after.manifest))).toEqual(["the command /deploy (operator.write)"]);
  });
});
