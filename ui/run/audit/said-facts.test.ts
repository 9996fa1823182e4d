import { expect, it } from "vitest";
import { BUNDLED_FACTS } from "../../../src/bundled-wording.ts";
import { FACT_TYPES } from "../../../src/protocol/localized/fact-types.ts";
import { keepOutsideTexts, speak, withTexts } from "../../i18n/t.ts";
import { keepOutsideFacts } from "../../localized/outside-facts.ts";
import { actorText, factsOf } from "./fact-line.ts";

const rowWith = (type: string, detail = {}) => ({ body: JSON.stringify({ facts: [{ type, detail }] }) });

it("[UI-06] every fact of the gateway and of its bundled plugins is told in words, not by its name", async () => {
  await withTexts(() => speak(["de"]), "cards", "run", "localized");
  const types = [...FACT_TYPES, ...Object.keys(BUNDLED_FACTS)];
  const titles = types.map((type) => factsOf(rowWith(type))[0]?.title ?? "");
  expect(titles.filter((title, at) => title === "" || title === types[at] || title.includes("run."))).toEqual([]);
});

it("[UI-06] a fact of plan mode is worded by what it holds", async () => {
  await withTexts(() => speak(["de"]), "cards", "run", "localized");
  const decided = (detail: object) => factsOf(rowWith("plan.decided", detail))[0];
  expect(decided({ decision: "rejected", feedback: "No\u200B." })).toEqual({
    title: "Um Änderungen gebeten",
    tone: "bad",
    text: "No‹U+200B›.",
  });
  expect(decided({ decision: "approved" })).toEqual({ title: "Plan genehmigt", tone: "good", text: "" });
  expect(factsOf(rowWith("plan.auto_set", { enabled: true }))[0]?.title).toBe("Automatische Genehmigung an");
  expect(factsOf(rowWith("plan.entered", { reason: "operator" }))[0]?.text).toBe("vom Menschen eingeschaltet");
  expect(factsOf(rowWith("permission.set", { mode: "ask" }))[0]?.title).toBe("Wonach gefragt wird: ask");
});

it("[PG-02, UI-06] a fact of a plugin from outside is told in its words, under its name", async () => {
  await withTexts(() => speak(["de"]), "cards", "run", "localized");
  const wording = { title: "switched", tone: "accent", shows: "by" } as const;
  keepOutsideFacts([["lamp.switched", { pluginId: "lamp", wording }]]);
  const row = rowWith("lamp.switched", { colour: "re\u200Bd", by: "Alice" });
  expect(factsOf(row)[0]?.title).toBe("lamp.switched"); // its texts are not there yet
  keepOutsideTexts("de", { "lamp.switched": "Lampe: {colour}" });
  expect(factsOf(row)).toEqual([{ title: "lamp: Lampe: re‹U+200B›d", tone: "accent", text: "Alice" }]);
  keepOutsideFacts([]);
});

it("[UI-06] a fact says whose it is and how it ended, in the language of the person", async () => {
  await withTexts(() => speak(["de"]), "cards", "run", "localized");
  expect(factsOf(rowWith("plugin.trouble", { id: "notes", reason: "It broke." }))[0]?.title).toBe(
    "Plugin notes braucht Aufmerksamkeit",
  );
  expect(factsOf(rowWith("run.ended", { outcome: "timed_out" }))[0]?.title).toBe(
    "Geplanter Auftrag beendet: dauerte zu lange",
  );
  expect(factsOf(rowWith("deploy.\u202Estarted"))[0]?.title).toBe("deploy.‹U+202E›started"); // a plugin's own
  expect(["config-file", "system:plugins", "opr_1"].map(actorText)).toEqual([
    "Konfigurationsdatei",
    "Gateway (System)",
    "opr_1",
  ]);
});
