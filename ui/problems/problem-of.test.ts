import { beforeEach, describe, expect, it } from "vitest";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import { BUNDLED_REFUSALS } from "../../src/bundled-wording.ts";
import { refuse } from "../../src/plan-mode/protocol/refuse.ts";
import { REFUSAL_CODES } from "../../src/protocol/refusal.ts";
import { localized } from "../../src/plan-mode/texts/localized.ts";
import { keepOutsideTexts, speak, t, withTexts } from "../i18n/t.ts";
import { CODE_TEXTS, problemOf, refusalProblem } from "./problem-of.ts";

/** Between the gateway and its own parts; no request of the page is answered with one of them. */
const NEVER_ON_THE_PAGE = [
  "HANDSHAKE_REQUIRED",
  "LEASE_LOST",
  "CALL_NOT_OPEN",
  "CALL_ALREADY_CLAIMED",
  "TIMER_GONE",
  "COMMAND_RESERVED",
  "COMMAND_TAKEN",
];
const OF_THE_CLIENT = ["UNREACHABLE", "CONNECTION_LOST", "TIMED_OUT", "CLOSED"];

const ours = (text: string, detail = "") => ({ text, isEnglish: false, detail });
const refused = (code: string, details = {}, message = "No.") => refusalProblem({ code, message, details, said: [] });

beforeEach(async () => {
  await speak(["de"]);
  await withTexts(async () => undefined, "cards", "problems", "localized");
});

describe("a refusal", () => {
  it("[UI-06] has a text for every code that a person can meet on the page", () => {
    const wanted = REFUSAL_CODES.filter((code) => !NEVER_ON_THE_PAGE.includes(code));
    expect(Object.keys(CODE_TEXTS).toSorted()).toEqual([...wanted, ...OF_THE_CLIENT].toSorted());
    expect(Object.values(CODE_TEXTS).filter((key) => t(key) === key)).toEqual([]);
    const unworded = Object.keys(BUNDLED_REFUSALS).filter((code) => refused(code).isEnglish);
    expect(unworded).toEqual([]);
  });

  it("[UI-06] is told in the language of the person", () => {
    expect(refused("APPROVAL_EXPIRED")).toEqual(ours("Die Frist ist abgelaufen."));
  });

  it("[UI-06] says who, what is needed and where to look, when its details hold that", () => {
    expect(refused("APPROVAL_ALREADY_DECIDED", { decision: "approved", decided_by: "\u202Eecila" })).toEqual(
      ours("‹U+202E›ecila hat das schon entschieden."),
    );
    expect(refused("APPROVAL_ALREADY_DECIDED")).toEqual(ours("Das ist schon entschieden."));
    expect(refused("FORBIDDEN", { scopes: ["operator.admin", "operator.write"] })).toEqual(
      ours("Ihre Anmeldung erlaubt das nicht. Nötig ist: operator.admin und operator.write."),
    );
    expect(refused("FORBIDDEN", { scope: "operator.admin" })).toEqual(
      ours("Ihre Anmeldung erlaubt das nicht. Nötig ist: operator.admin."),
    );
    expect(refused("FORBIDDEN")).toEqual(ours("Das dürfen Sie nicht."));
    expect(refused("INTERNAL", { reference: "ref_1" })).toEqual(
      ours("Im Gateway ist etwas schiefgegangen. Die Ursache steht in seinem Protokoll unter ref_1."),
    );
  });

  it("[UI-06] keeps the gateway's sentence beneath where that says more than the code", () => {
    expect(refused("CONFIG_INVALID", {}, "port: \u200Btoo big")).toEqual(
      ours("So wäre die Konfiguration ungültig. Es wurde nichts geändert.", "port: ‹U+200B›too big"),
    );
  });

  it("[UI-06] is told by what the gateway says that it means, whatever its code", () => {
    const { refused: refusal } = refuse("NOTE_INVALID", localized("noteNoStep", { step: 9, steps: 3 }));
    expect(refusalProblem({ ...refusal, details: {}, said: refusal.said ?? [] })).toEqual(
      ours("Schritt 9 gibt es nicht: Der Plan hat 3."),
    );
  });

  it("[UI-06] is told in the gateway's own words, marked as English, when the page does not know its code", () => {
    const inEnglish = { text: "No.", isEnglish: true, detail: "" };
    expect([refused("NEW_ONE"), refused("toString"), refused("LEASE_LOST")]).toEqual([inEnglish, inEnglish, inEnglish]);
  });

  it("[PG-02, UI-06] of a plugin from outside is told by its own text for the code, else by its message", () => {
    const inEnglish = { text: "No.", isEnglish: true, detail: "" };
    expect(refused("lamp.TOO_BRIGHT")).toEqual(inEnglish);
    keepOutsideTexts("de", { "lamp.refused_TOO_BRIGHT": "Zu hell." });
    expect(refused("lamp.TOO_BRIGHT")).toEqual(ours("Zu hell."));
    expect(refused("lamp.APPROVAL_EXPIRED")).toEqual(inEnglish);
  });

  it("[UI-06] says nothing twice in English", async () => {
    await speak(["en"]);
    expect(refused("CONFIG_INVALID")).toEqual({ text: "No.", isEnglish: true, detail: "" });
    expect(refused("APPROVAL_EXPIRED")).toEqual(ours("The deadline has passed."));
  });

  it("[UI-06] follows the language from then on", async () => {
    await speak(["ja"]);
    expect(refused("APPROVAL_EXPIRED")).toEqual(ours("期限が過ぎました。"));
  });
});

it("[UI-06] an error of this side is told like one of the gateway; a bug with its own words", () => {
  expect(problemOf(new HoldpointError({ code: "TIMED_OUT", message: "sessions.patch" })).text).toMatch(
    /^Das Gateway hat/,
  );
  expect(problemOf(new Error("x \u200By"))).toEqual(ours(t("app.somethingWrong", { message: "x ‹U+200B›y" })));
});
