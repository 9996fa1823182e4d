/** What `holdpoint update` says, with an npm of our own on the path. */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { VERSION } from "../../gateway/version.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { runProgram } from "../program.ts";
import { isNewer, isVersion } from "./version-order.ts";

async function update(npm: string | undefined, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-update-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (npm !== undefined) {
    await writeFile(join(folder, "npm"), `#!/bin/sh\necho "$PWD $*" > ${folder}/asked\n${npm}\n`);
    await chmod(join(folder, "npm"), 0o755);
  }
  const printed = { out: "", err: "" };
  const stream = (name: keyof typeof printed) => ({ write: (text: string) => void (printed[name] += text) });
  const { stdin, stdout: terminal } = process;
  const around = { stdout: stream("out"), stderr: stream("err"), stdin, terminal, cwd: folder };
  const env = { PATH: npm === undefined ? folder : [folder, "/usr/bin", "/bin"].join(delimiter) };
  const code = await runProgram(["update", ...args], { ...around, env });
  return { code, ...printed, asked: await readFile(join(folder, "asked"), "utf8").catch(() => ""), folder };
}

const NEWER = `echo '"99.0.1"'`;

it.skipIf(process.platform === "win32")(
  "[GW-08] update says what is installed, what is newest and how to get it, and asks nothing but npm's registry",
  async () => {
    const { code, out, asked, folder } = await update(NEWER, "--json");
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { installed: VERSION, newest: "99.0.1", outdated: true, command: expect.stringMatching(/npm (?:ci|install)/) },
    ]);
    expect(asked).toMatch(/ view holdpoint dist-tags\.latest --json\n$/);
    expect(asked.startsWith(folder)).toBe(false); // a project's .npmrc could name another registry
    expect((await update(NEWER)).out).toContain("Update with: ");
    expect((await update(NEWER, "--check")).code).toBe(EXIT_CODES.outdated.code);
    expect(await update(`echo '"${VERSION}"'`, "--check")).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing newer"),
    });
  },
);

it.skipIf(process.platform === "win32").each([
  ["fails", "exit 1", "registry does not say"],
  ["answers with something else", `echo '"1.0.0; touch x"'`, "registry does not say"],
  ["is missing", undefined, "npm is not installed"],
])("[GW-08] update says so where npm %s", async (_how, npm, why) => {
  const { code, err } = await update(npm);
  expect([code, err.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(why)]);
});

it("[GW-08] orders versions as npm does", () => {
  const ordered = ["0.9.9", "0.10.0-alpha", "0.10.0-alpha.1", "0.10.0-beta.2", "0.10.0-beta.11", "0.10.0", "1.0.0"];
  for (const [at, one] of ordered.entries())
    for (const [other, two] of ordered.entries()) expect([one, two, isNewer(one, two)]).toEqual([one, two, at > other]);
  expect(["1.0", "v1.0.0", "1.0.0 ", "1.0.0-", ""].filter(isVersion)).toEqual([]);
});
