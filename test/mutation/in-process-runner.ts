/**
 * A test runner for Stryker that stays in one process: the vitest runner starts workers for each mutant, which costs
 * over a second, and the gate has thousands. See `vitest-in-process.ts` for the tests' side.
 */
import { globSync } from "node:fs";
import * as fc from "fast-check";
import { z } from "zod";
import { type CollectedTest, collect, type Failure, runTest } from "./collected-tests.ts";
import { type FreshModules, freshModules } from "./fresh-modules.ts";

/** Globs of the group that is run, from `scripts/mutation.ts`: Stryker hands its own options to plugins, and no others. */
const GROUP_TESTS = z.array(z.string()).parse(JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"));
/** Random games and counts of work: they would be played and counted again for each mutant. */
const GAMES = [
  "src/**/*-cost.test.ts",
  "src/plan-mode/machine/model.test.ts",
  "src/plan-mode/machine/signature/interleavings.test.ts",
  "src/core/calls/callers-model.test.ts",
];
const TEST_MS_MAX = 5_000;
/** The same random texts in each run: otherwise a mutant that one run kills survives the next. */
const RANDOM_SEED = 22;

type Coverage = { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
type Instrumented = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
};
type MutantRun = {
  activeMutant: { id: string };
  sandboxFileName: string;
  testFilter?: readonly string[];
  hitLimit?: number;
};

const SEPARATOR = "#";
const idOf = (file: string, test: CollectedTest): string => `${file}${SEPARATOR}${test.name}`;

export class InProcessRunner {
  readonly #modules: FreshModules = freshModules(process.cwd());
  readonly #files: readonly string[] = globSync(GROUP_TESTS, { exclude: GAMES }).toSorted();
  readonly #instrumented: Instrumented;

  constructor() {
    const known: unknown = Reflect.get(globalThis, "__stryker__");
    this.#instrumented = (known as Instrumented | undefined) ?? {};
    Reflect.set(globalThis, "__stryker__", this.#instrumented);
    fc.configureGlobal({ seed: RANDOM_SEED });
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const tests: object[] = [];
    for (const file of this.#files) {
      for (const test of await collect(() => this.#modules.load(file))) {
        const [id, startedAtMs] = [idOf(file, test), performance.now()];
        this.#instrumented.currentTestId = id;
        const failure = await runTest(test, TEST_MS_MAX * 4);
        this.#instrumented.currentTestId = undefined;
        const result = { id, name: id, fileName: file, timeSpentMs: performance.now() - startedAtMs };
        tests.push(
          failure === undefined ? { ...result, status: 0 } : { ...result, status: 1, failureMessage: failure.message },
        );
      }
    }
    return { status: "complete", tests, mutantCoverage: this.#instrumented.mutantCoverage };
  }

  async mutantRun({ activeMutant, sandboxFileName, testFilter, hitLimit }: MutantRun) {
    this.#modules.renew();
    Object.assign(this.#instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    let nrOfTests = 0;
    for (const file of this.#files) {
      if (wanted === undefined ? !this.#covers(file, sandboxFileName) : !hasTestIn(wanted, file)) continue;
      const tests = await collect(() => this.#modules.load(file)).catch((error: unknown) => failing(String(error)));
      for (const test of tests) {
        const id = idOf(file, test);
        if (wanted !== undefined && !wanted.has(id) && test.name !== BROKEN) continue;
        nrOfTests += 1;
        const failure = await runTest(test, TEST_MS_MAX);
        if (failure !== undefined) return this.#ended(failure, id, nrOfTests);
      }
    }
    return { status: "survived", nrOfTests };
  }

  #ended(failure: Failure, killedBy: string, nrOfTests: number) {
    const { hitCount = 0, hitLimit = Number.POSITIVE_INFINITY } = this.#instrumented;
    if (hitCount > hitLimit) return { status: "timeout", reason: failure.message };
    return { status: "killed", killedBy: [killedBy], failureMessage: failure.message, nrOfTests };
  }

  /** A worker that has not done the dry run does not know yet what a file imports; then the file counts. */
  #covers(file: string, mutated: string): boolean {
    return !this.#seen.has(file) || this.#modules.reaches(file, mutated) ? this.#seen.add(file) !== undefined : false;
  }
  readonly #seen = new Set<string>();
}

const BROKEN = "loads";
const failing = (message: string): readonly CollectedTest[] => [
  {
    name: BROKEN,
    run: () => {
      throw new Error(message);
    },
  },
];

const hasTestIn = (ids: ReadonlySet<string>, file: string): boolean =>
  [...ids].some((id) => id.startsWith(`${file}${SEPARATOR}`));

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", injectableClass: InProcessRunner }];
