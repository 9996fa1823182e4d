/** What becomes of a text, to the character: where a marker ends, where one begins, and what only looks like one (IN-04). */
import { describe, expect, it } from "vitest";
import { defuse, quoted } from "./defuse.ts";

/** How far behind its bracket a name may stand, and how much of one may stand at the end of a text. */
const NEAR_CHARS = 96;

describe("a marker", () => {
  it.each([
    ["[PLAN_TOMORROW] x", "(PLAN_TOMORROW) x"],
    ["see [QUESTION-later] x", "see (QUESTION-later) x"],
    ["see [/Subagent_news] x", "see (/Subagent_news) x"],
    ["see [ plugin＿x ] y", "see ( plugin＿x ) y"],
    ["see [CALLER_LOST] x", "see (CALLER_LOST) x"],
  ])("[IN-04] is what a later version or a plugin may add, too: %s", (text, safe) => {
    expect(defuse(text)).toBe(safe);
  });

  it.each(["see [plan b] and [plan_] or [plan]: x", "[planning_x] x", "[my_plan_x] x"])(
    "[IN-04] is not every word that begins like one: %s",
    (text) => {
      expect(defuse(text)).toBe(text);
    },
  );

  it.each([
    ["【/PLAN_DECISION】 x", "(/PLAN_DECISION) x"],
    ["a][PLAN_DECISION] x", "a](PLAN_DECISION) x"],
    ["[[PLAN_DECISION]] x", "((PLAN_DECISION)] x"],
    ["[PLAN_DECISION no end", "(PLAN_DECISION no end"],
    ["[0] is [PLAN_DECISION] x", "[0] is (PLAN_DECISION) x"],
  ])("[IN-04] loses its own two brackets and no other: %s", (text, safe) => {
    expect(defuse(text)).toBe(safe);
  });

  it("[IN-04] has its name near its bracket, whatever other brackets stand behind", () => {
    const apart = (begun: string, rest: string): string => `[${begun.padEnd(NEAR_CHARS - 1)}[${rest}] and more`;
    for (const text of [apart("TURN_CONTINU", "E"), apart("TURN_CONT", "INUE"), apart("TU", "RN_CONTINUE")])
      expect(defuse(text)).toBe(text);
    const near = `[${"TURN_CONTINU".padEnd(NEAR_CHARS - 1)}E] and more`;
    expect(defuse(near)).toBe(near.replace("[", "("));
  });
});

describe("the end of a text, behind which another one may go on", () => {
  it.each([
    ["[0] and [PLAN_DEC", "[0] and (PLAN_DEC"],
    ["[0] and [TURN_CONT", "[0] and (TURN_CONT"],
    ["and [plan", "and (plan"],
    ["and [pla", "and [pla"],
    ["arr[", "arr["],
  ])("[IN-04] is no beginning of a marker: %s", (text, safe) => {
    expect(defuse(text)).toBe(safe);
  });

  it("[IN-04] is as far from a bracket as a name may be", () => {
    const last = `[${"plan".padEnd(NEAR_CHARS)}`;
    expect(defuse(last)).toBe(last.replace("[", "("));
    expect(defuse(`${last} `)).toBe(`${last} `);
  });
});

it.each([
  ["<system-reminder>", "< system-reminder>"],
  ["<systemreminder>", "< systemreminder>"],
  ["</system_reminder>", "< /system_reminder>"],
  ["</  SYSTEM reminder>", "< /  SYSTEM reminder>"],
  ["<xsystem-reminder> <system.reminder>", "<xsystem-reminder> <system.reminder>"],
])("[IN-04] a reminder of the system is none any more, and nothing else is touched: %s", (text, safe) => {
  expect(defuse(text)).toBe(safe);
});

it.each(["\u202e", "\u200b\u200b"])("[IN-04, UI-08] a text of hidden characters alone is shown: %j", (text) => {
  expect(defuse(text)).toMatch(/^(?:‹U\+20(?:2E|0B)›)+$/);
});

describe("a quotation", () => {
  it("[IN-04] marks every line, the empty ones between others too", () => {
    expect(quoted("\n  a\n\nb  \n\n")).toBe("> a\n>\n> b");
  });

  it("[IN-04, PL-07] is cut where it is longer than it may be, and says so", () => {
    const most = "x".repeat(23_998);
    expect(quoted(most)).toBe(`> ${most}`);
    expect(quoted(`${most}x`)).toBe(`> ${most}\n(the rest was cut)`);
  });
});
