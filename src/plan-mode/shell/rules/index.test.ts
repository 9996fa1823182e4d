import { describe, expect, it } from "vitest";
import { allRules, ruleFor, subcommandOf } from "./index.ts";
import type { Rule } from "./rule.ts";

const verbs = (...names: string[]): Rule => ({
  names: "probe",
  options: {},
  subcommands: names.map((name) => ({ names: name, options: {} })),
});

describe("the tables, by name", () => {
  it("[GA-05] hold one rule for a name, and none for a name that nobody wrote down", () => {
    expect(ruleFor("gtar")).toBe(ruleFor("tar"));
    expect(ruleFor("rm")).toBeUndefined();
    expect(ruleFor("toString")).toBeUndefined();
    expect(ruleFor("")).toBeUndefined();
  });

  it("[GA-05] find a verb below its command only", () => {
    const rule = verbs("list show", "get");
    expect(["list", "show", "get", "list show", ""].map((name) => subcommandOf(rule, name)?.names)).toEqual([
      "list show",
      "list show",
      "get",
      undefined,
      undefined,
    ]);
    expect(subcommandOf({ names: "probe", options: {} }, "list")).toBeUndefined();
  });

  it("[GA-05] refuse two rules for one name", () => {
    expect(() => subcommandOf(verbs("list", "show list"), "show")).toThrow("two rules for list");
  });

  it("[GA-05] name every option of a verb, and never its manual: what shows it may be a program of the project", () => {
    const verbsBelow = ({ subcommands = [] }: Rule): readonly Rule[] =>
      subcommands.flatMap((verb) => [verb, ...verbsBelow(verb)]);
    const found = allRules().flatMap(verbsBelow);
    const isLoose = ({ options }: Rule): boolean =>
      options === "any" || /(?:^| )-{0,2}help=?\??(?: |$)/.test(`${options.long ?? ""} ${options.single ?? ""}`);
    expect(found.length).toBeGreaterThan(60);
    expect(found.filter(isLoose).map(({ names }) => names)).toEqual([]);
    const withVerbs = allRules().filter(({ subcommands }) => subcommands !== undefined);
    expect(withVerbs.filter(({ options }) => options === "any").map(({ names }) => names)).toEqual([]);
  });
});
