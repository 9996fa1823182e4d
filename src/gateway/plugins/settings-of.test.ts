import { expect, it } from "vitest";
import { parseConfig } from "../../config/parse.ts";
import type { SettingsSource } from "../../plugins/sdk.ts";
import { NO_SECTIONS } from "../../protocol/plugin/plugin-protocol.ts";
import { createSettingsOf } from "./settings-of.ts";

const source = (key: string, word: string): SettingsSource<typeof NO_SECTIONS> => ({
  key,
  sections: NO_SECTIONS,
  resolve: (_levels, { agentId, role }) => ({ word, agentId, role }),
});

it("[PG-05] settings are those of the configuration and of the plugins as they are now, though they are kept", () => {
  let config = parseConfig("agents: { defaults: { queueMode: interrupt } }", "one.yaml").config;
  const settings = new Map([["lamp", source("lamp", "first")]]);
  const settingsOf = createSettingsOf({ current: () => config }, { settings });
  const place = { agentId: "main", surface: "page" };

  const first = settingsOf(place);
  expect(first).toMatchObject({ turns: { queueMode: "interrupt" }, lamp: { word: "first", agentId: "main" } });
  expect(settingsOf({ ...place })).toBe(first);
  expect(settingsOf({ ...place, agentId: "other" })).toMatchObject({ lamp: { agentId: "other" } });
  expect(settingsOf({ ...place, role: "reviewer" })).toMatchObject({ lamp: { role: "reviewer" } });

  settings.set("lamp", source("lamp", "second"));
  expect(settingsOf(place)).toMatchObject({ lamp: { word: "second" } });
  settings.set("bell", source("bell", "third"));
  expect(settingsOf(place)).toMatchObject({ bell: { word: "third" } });
  settings.delete("bell");
  expect(settingsOf(place)).not.toHaveProperty("bell");

  config = parseConfig("agents: { defaults: { queueMode: steer } }", "two.yaml").config;
  expect(settingsOf(place)).toMatchObject({ turns: { queueMode: "steer" }, lamp: { word: "second" } });
});
