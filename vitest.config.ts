import { defineConfig } from "vitest/config";
import { closingLine } from "./scripts/closing-line.ts";
import { LongestFirst } from "./scripts/longest-first.ts";

const LONG_MS = Number(process.env["HOLDPOINT_LONG_MS"] ?? 0); // what `npm run test:long` gives each test to repeat itself
const TEST_MS_MAX = 180_000 + 2 * LONG_MS; // only ends what hangs: no test measures time, a slow machine fails nothing
const POLL_MS_MAX = 120_000; // shorter than a test may take, so that a wait in vain is reported as what it waited for
const POLL_EVERY_MS = 20; // a look costs little, and what is looked for is mostly there at the second one
const WORKERS_MAX = 3; // one more than the smallest supported machine has cores: a third of their time tests wait for others

const TESTS = ["src/**/*.test.ts", "ui/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"];

export default defineConfig({
  test: {
    include: TESTS,
    exclude: LONG_MS > 0 ? ["**/node_modules/**"] : ["**/node_modules/**", "**/*.long.test.ts"], // those are `npm run test:long`
    globalSetup: ["test/kit/global-setup.ts"],
    pool: "forks", // tests kill, drain and spawn; a thread would share the process with them
    maxWorkers: WORKERS_MAX,
    isolate: false, // loading the gateway anew for each file would take as long as most tests
    experimental: { viteModuleRunner: false, nodeLoader: false }, // Node runs the sources as they are, in tests as in life: nothing is transformed
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/holdpoint` }, // for processes that tests start
    sequence: { sequencer: LongestFirst },
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: POLL_MS_MAX, interval: POLL_EVERY_MS } },
    retry: 0, // a test that passes the second time is a test that fails
    reporters: ["default", closingLine()],
    coverage: { provider: "v8", include: ["src/**/*.ts", "ui/**/*.ts"], exclude: ["**/*.test.ts", "**/*contract.ts"] },
  },
});
