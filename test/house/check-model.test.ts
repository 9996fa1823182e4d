/** The Promela model speaks of the states that the code has, and has mutants that show whether it can fail. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { mutantsIn } from "../../scripts/check-model.ts";
import { PlanPhase } from "../../src/plan-mode/protocol/state.ts";
import { Session } from "../../src/protocol/session.ts";

const MODEL = readFileSync(resolve(import.meta.dirname, "../../spec/lifecycle.pml"), "utf8");
const MUTANTS_MIN = 8;

const namesOf = (kind: string): string[] =>
  (new RegExp(`^mtype:${kind} = \\{ (.*) \\};$`, "m").exec(MODEL)?.[1] ?? "").split(", ").toSorted();

it("[QA-01] the model has the phases of a plan, and the states of a turn, that the code has", () => {
  const phases = PlanPhase.options.map(({ shape }) => shape.phase.value);
  expect(namesOf("phase")).toEqual(phases.filter((phase) => phase !== "off").toSorted()); // it begins inside plan mode
  expect(namesOf("turn")).toEqual(Session.shape.turn.options.map(({ shape }) => shape.status.value).toSorted());
});

it("[QA-01] the model has a mutant for each line of the design that it rests on", () => {
  expect(mutantsIn(MODEL).length).toBeGreaterThanOrEqual(MUTANTS_MIN);
});
