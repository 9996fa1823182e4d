/** The guide's own code, taken out of it and run: what newcomers copy works. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../src/cli/program.ts";

const FROM_SOURCE = fileURLToPath(new URL("../test/kit/from-source.ts", import.meta.url));
const RUN_MS_MAX = 120_000;
const TUTORIAL_LINES_MAX = 60;

type Block = { name: string; text: string; under: string };

const guide = readFileSync(new URL("../docs/guides/write-a-plugin.md", import.meta.url), "utf8");
/** Code with a file's name behind its language is that file; JavaScript without one is a program of its own. */
const blocks = [...guide.matchAll(/^### (.*)$|^```(js|json)(?: (\S+))?\n([\s\S]*?)^```$/gm)].reduce<Block[]>(
  (found, [, heading, language, name = "", text = ""]) =>
    heading === undefined
      ? [...found, { name: name === "" && language === "js" ? "try.js" : name, text, under: found.at(-1)?.under ?? "" }]
      : [...found, { name: "", text: "", under: heading }],
  [],
);
const seams = blocks.filter(({ name }) => name === "try.js");
const files = blocks.filter(({ name }) => name !== "" && name !== "try.js");
const [trusted, tutorial] = [files.filter(isTrusted), files.filter((block) => !isTrusted(block))];

function isTrusted({ name }: Block): boolean {
  return name.startsWith("lamp/");
}

function write(folder: string, written: readonly Block[]): void {
  for (const { name, text } of written) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** "passed", or all that it said. */
function node(args: string[], cwd: string): Promise<string> {
  const options = { cwd, timeout: RUN_MS_MAX };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", FROM_SOURCE, ...args], options, (error, stdout, stderr) =>
      resolve(error === null ? "passed" : `${stdout}${stderr}`),
    );
  });
}

async function holdpoint(folder: string, ...argv: string[]): Promise<{ code: number; said: string }> {
  let said = "";
  const stream = { write: (text: string) => void (said += text) };
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: join(folder, "home") };
  const { stdin, stdout } = process;
  const code = await runProgram(argv, { stdin, terminal: stdout, cwd: folder, env, stdout: stream, stderr: stream });
  return { code, said };
}

describe("docs/guides/write-a-plugin.md", () => {
  it(
    "[PG-01, PG-10, PG-11] leads a newcomer to an approval plugin with a test, which is installed then",
    { timeout: RUN_MS_MAX },
    async () => {
      const folder = temporaryFolder();
      expect(await holdpoint(folder, "plugins", "create", "prod-files")).toMatchObject({ code: 0 });
      const plugin = join(folder, "prod-files");
      mkdirSync(join(plugin, "node_modules/.bin"), { recursive: true });
      symlinkSync(process.execPath, join(plugin, "node_modules/.bin/node")); // as npm leaves it behind
      expect(await node(["--test"], plugin)).toBe("passed"); // what was generated passes as it is
      write(plugin, tutorial);
      expect(await node(["--test"], plugin)).toBe("passed");
      expect(await holdpoint(folder, "plugins", "install", "./prod-files", "--yes")).toMatchObject({ code: 0 });
      expect((await holdpoint(folder, "plugins", "info", "prod-files")).said).toContain("ready");
    },
  );

  it(
    "[PG-02, PG-04, PG-08, PG-11] leads to a trusted plugin with a machine, a field, a method, a card, texts and a worker, which is installed and trusted",
    { timeout: RUN_MS_MAX },
    async () => {
      const folder = temporaryFolder();
      write(folder, trusted);
      const plugin = join(folder, "lamp");
      writeFileSync(join(plugin, "package.json"), '{ "type": "module" }');
      expect(await node(["--test"], plugin)).toBe("passed");
      expect((await holdpoint(folder, "plugins", "install", "./lamp", "--yes")).said).toContain("plugins trust lamp");
      expect(await holdpoint(folder, "plugins", "trust", "lamp", "--yes")).toMatchObject({ code: 0 });
      expect((await holdpoint(folder, "plugins", "info", "lamp")).said).toMatch(/trusted[\s\S]*ready/);
    },
  );

  it("[PG-11] does so in under 60 lines", () => {
    const code = tutorial.filter(({ name }) => name.endsWith(".js"));
    const lines = code.flatMap(({ text }) => text.trim().split("\n")).length;
    expect(code.map(({ name }) => name)).toEqual(["index.js", "test/plugin.test.js"]);
    expect(lines).toBeLessThan(TUTORIAL_LINES_MAX);
  });

  it.each(seams)(
    "[PG-02, PG-03, PG-04, PG-05, PG-06, PG-07, PG-08, PG-09] shows each seam by a program that runs: $under",
    { timeout: RUN_MS_MAX },
    async ({ name, text }) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      writeFileSync(join(folder, name), text);
      expect(await node([name], folder)).toBe("passed");
    },
  );

  it("[PG-02, PG-03, PG-04, PG-05, PG-06, PG-07, PG-08, PG-09] has one such program for each seam, and for work that a machine orders", () => {
    const shown = new Set(seams.map(({ under }) => under));
    expect(shown.size).toBe(9);
    expect(shown).toContain("Work outside the session");
  });
});
