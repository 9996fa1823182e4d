import { defineConfig } from "vitest/config";
import { closingLine } from "./scripts/closing-line.ts";

const TEST_MS_MAX = 30_000; // generous: a slow machine is no failure, and a hang still ends
const WORKERS_MAX = 2; // what the smallest supported machine has; more would starve the gateways that tests start

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "ui/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["test/kit/global-setup.ts"],
    pool: "forks", // tests kill, drain and spawn; a thread would share the process with them
    maxWorkers: WORKERS_MAX,
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX * 2,
    retry: 0, // a test that passes the second time is a test that fails
    reporters: ["default", closingLine()],
    coverage: { provider: "v8", include: ["src/**/*.ts", "ui/**/*.ts"], exclude: ["**/*.test.ts", "**/*contract.ts"] },
  },
});
