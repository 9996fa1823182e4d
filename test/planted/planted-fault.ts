/** One fault as data: what is replaced in which file, and the test that must fail then. */
export type PlantedFault = {
  name: string;
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  replace: string;
  /** `title`: a part of its name. `isLong`: it runs only where tests have time. */
  test: { file: string; title: string; isLong?: true };
};

/** The simulation, all parts of it. */
export const SIMULATION = {
  file: "test/simulation/simulation.test.ts",
  title: "lost replies and power loss", // all parts of it: some faults show in one run of five hundred
} as const;
