import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { probedSandbox } from "./sandbox.ts";

/** A bwrap that works until it is told not to, as when a command has used up what the system grants. */
function fickle(): { breakIt(): void } {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-bwrap-"));
  const answer = (code: number): void =>
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  answer(0);
  vi.stubEnv("PATH", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return { breakIt: () => answer(1) };
}

it.runIf(process.platform === "linux")(
  "[GA-06, GW-04] is found out whole before the first command runs: no command can switch it off for the next",
  async () => {
    const { breakIt } = fickle();
    const [hidingFirst, readingFirst] = [probedSandbox(), probedSandbox()];
    expect([await hidingFirst.hiding(), await readingFirst.readOnly()]).toEqual([true, true]);
    breakIt();
    expect([await hidingFirst.readOnly(), await readingFirst.hiding()]).toEqual([true, true]);
  },
);
