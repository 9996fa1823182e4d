import { expect, it } from "vitest";
import { FACT_TYPES } from "../../../src/protocol/localized/fact-types.ts";
import { speak, withTexts } from "../../i18n/t.ts";
import { actorText, factsOf } from "./fact-line.ts";

const rowWith = (type: string, detail = {}) => ({ body: JSON.stringify({ facts: [{ type, detail }] }) });

it("[UI-06] every fact that the house keeps is told in words, not by its name", async () => {
  await withTexts(() => speak(["de"]), "cards", "run");
  const titles = FACT_TYPES.map((type) => factsOf(rowWith(type))[0]?.title ?? "");
  expect(titles.filter((title, at) => title === "" || title === FACT_TYPES[at] || title.includes("run."))).toEqual([]);
});

it("[UI-06] a fact says whose it is and how it ended, in the language of the person", async () => {
  await withTexts(() => speak(["de"]), "cards", "run");
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
