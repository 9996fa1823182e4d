/** Runs the examples' own tests as their authors would: with Node alone, on plugins that run as users run them. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const FROM_SOURCE = fileURLToPath(new URL("../../test/kit/from-source.ts", import.meta.url));
const HOSTILE = "hostile";
const RUN_MS_MAX = 600_000; // only ends what hangs

const EXAMPLES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== HOSTILE)
  .map(({ name }) => name);

type Ran = { code: number | string; output: string };

function runTests(examples: readonly string[]): Promise<Ran> {
  const files = examples.map((example) => join(import.meta.dirname, example, "plugin.test.js"));
  const args = ["--import", FROM_SOURCE, "--test", "--test-isolation=none", "--test-reporter=spec", ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: RUN_MS_MAX, maxBuffer: 1024 * 1024 * 16 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? 1), output: stdout + stderr }),
    );
  });
}

/** All of its output where something failed, so that whoever reads the report sees what. */
async function verdictOf(examples: readonly string[]): Promise<string> {
  const { code, output } = await runTests(examples);
  const passed = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0);
  return code === 0 && passed >= examples.length && /^ℹ skipped 0$/m.test(output) ? "passed" : output;
}

/** Begun with the first: it hangs on purpose, and while it waits for its limits the others run. */
let hostile: Promise<string> | undefined;
beforeAll(() => {
  hostile = verdictOf([HOSTILE]);
});

describe("the example plugins", () => {
  // in one process: loading the gateway takes longer than most of them
  it("[PG-10, PG-11] do what their own tests say", { timeout: RUN_MS_MAX }, async () => {
    expect(await verdictOf(EXAMPLES)).toBe("passed");
  });

  it("[PG-10] are those that the specification names", () => {
    expect(EXAMPLES.toSorted()).toEqual([
      "budget-guard",
      "deploy-approval",
      "desk-channel",
      "incident",
      "long-job",
      "memory-pins",
      "policy-grants",
      "review-gate",
      "telemetry",
    ]);
  });

  it(
    "[PG-01, PG-04, PG-05, PG-09, GW-04] a hostile one is refused whatever it tries, and the gateway goes on serving",
    { timeout: RUN_MS_MAX },
    async () => {
      expect(await hostile).toBe("passed");
    },
  );
});
