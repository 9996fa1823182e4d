/** Which version of an agent is installed, also where nobody waits for it to start. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { agentVersion } from "./agent-version.ts";

function world() {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "holdpoint-agent-version-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const bundle = join(folder, "node_modules/@google/gemini-cli/bundle");
  mkdirSync(bundle, { recursive: true });
  const program = join(bundle, "gemini.js");
  const started = join(folder, "started");
  const run = (text: string) => writeFileSync(program, `#!/bin/sh\ntouch '${started}'\n${text}\n`, { mode: 0o755 });
  const manifest = (value: unknown) => writeFileSync(join(bundle, "..", "package.json"), JSON.stringify(value));
  return { program, started, run, manifest };
}

it("[GA-11] is read from the package that brings the program, and the program is not started for it", async () => {
  const { program, started, run, manifest } = world();
  run("echo 9.9.9");
  manifest({ name: "@google/gemini-cli", version: "0.61.0", bin: { gemini: "bundle/gemini.js" } });
  const link = `${started}-link`;
  symlinkSync(program, link);
  expect([await agentVersion(program), await agentVersion(link)]).toEqual(["0.61.0", "0.61.0"]);
  expect(existsSync(started)).toBe(false);
});

it("[GA-11] is asked of the program where no package names it: of another one, half written, or none", async () => {
  const { program, run, manifest } = world();
  run("echo 'gemini version 1.2.3 (fake)'");
  expect(await agentVersion(program)).toBe("1.2.3");
  manifest({ name: "x", version: "7.0.0", bin: { other: "other.js" } });
  expect(await agentVersion(program)).toBe("1.2.3");
  manifest("half");
  expect(await agentVersion(program)).toBe("1.2.3");
  run("echo no >&2; exit 1");
  expect([await agentVersion(program), await agentVersion(`${program}-gone`)]).toEqual(["unknown", "unknown"]);
});
