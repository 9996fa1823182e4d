import { beforeEach, expect, it } from "vitest";
import { completionSummary } from "../../src/plan-mode/machine/text/texts.ts";
import { speak, speakOfProblems } from "../i18n/t.ts";
import { knownNotice } from "./known-notice.ts";

beforeEach(async () => {
  await speak(["de"]);
  await speakOfProblems();
});

it("[UI-06] tells that a plan is complete in the language of the person, as the gateway writes it", () => {
  const steps = [
    { step: "Sand", status: "completed" },
    { step: "Paint", status: "cancelled" },
  ] as const;
  expect(knownNotice(completionSummary('The "blue" shed', [...steps]))).toBe(
    'Der Plan „The "blue" shed“ ist fertig: 1 erledigt, 1 gestrichen, 2 von 2 Schritten abgeschlossen.',
  );
});

it("[UI-06] tells that a call was cut off in the language of the person", () => {
  const line =
    "A call of write was under way when the session was reset. Its outcome is unknown and it was not repeated.";
  expect(knownNotice(line)).toBe(
    "Ein Aufruf von write wurde abgebrochen. Wie er ausging, ist unbekannt; er wurde nicht wiederholt.",
  );
});

it("[UI-06] claims nothing about what others say", () => {
  expect(['Plan "x" is complete: all of it.', "The model is overloaded.", ""].map(knownNotice)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
