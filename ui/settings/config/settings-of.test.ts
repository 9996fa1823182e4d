import { expect, it } from "vitest";
import { Config } from "../../../src/config/config.ts";
import type { Json } from "../../../src/protocol/json.ts";
import { restOf, SETTINGS, settingAt, shownOf, valueOf } from "./settings-of.ts";

const setting = (path: string) => SETTINGS.find((one) => one.path === path) ?? { kind: { type: "number" as const } };

it("[UI-07] every setting that the page offers is one of the configuration", () => {
  const good: Record<string, Json> = {
    models: "demo",
    number: 2,
    "yes-no": true,
    text: "30m",
    words: ["openai/*"],
    numbers: [1, 3],
  };
  for (const { path, kind } of SETTINGS) {
    const first = kind.type === "one-of" ? (kind.options[0]?.value ?? null) : (good[kind.type] ?? null);
    const value = path.endsWith("Seconds") ? 60 : first;
    const config = path.split(".").reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
    expect([path, Config.safeParse(config).success]).toEqual([path, true]);
  }
});

it.each([
  ["agents.defaults.model", "auto", "auto"],
  ["agents.defaults.model", "a/b, c/d", ["a/b", "c/d"]],
  ["agents.defaults.model", " ", undefined],
  ["approvals.quorum", "3", 3],
  ["approvals.quorum", "three", "three"],
  ["agents.defaults.planMode.enabled", "false", false],
  ["agents.defaults.permissionMode", "ask", "ask"],
  ["agents.defaults.planMode.autoEnableFor", "openai/*", ["openai/*"]],
  ["agents.defaults.planMode.nudges.executingMinutes", "1, 3, 5", [1, 3, 5]],
  ["agents.defaults.planMode.nudges.executingMinutes", "1, soon", [1, "soon"]],
  ["agents.defaults.heartbeat.every", "30m", "30m"],
])("[UI-07] %s: what is typed, %j, becomes %j", (path, shown, value) => {
  expect(valueOf(setting(path), shown)).toEqual(value);
  expect(shownOf(value)).toBe(shown.trim());
});

it("[UI-07] everything else is listed as it stands", () => {
  const config = { agents: { defaults: { model: "demo", skills: true } }, mcp: {}, list: [1, { a: 2 }] };
  expect(settingAt(config, "agents.defaults.model")).toBe("demo");
  expect(settingAt(config, "agents.none.model")).toBeUndefined();
  expect(restOf(config)).toEqual([
    ["agents.defaults.skills", "true"],
    ["mcp", "{}"],
    ["list", '[1,{"a":2}]'],
  ]);
});
