import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { documentFiles, outdated } from "../../scripts/documents.ts";
import { scan } from "../../src/agent/context-files/scan.ts";
import { createSkillFinder } from "../../src/agent/context-files/skills.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { inspectCommand } from "../../src/plan-mode/shell/accept-edits/inspect.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

it("[IN-05] shows what agents are told and what can be typed as the code has it: run npm run fix", async () => {
  for (const [path, text] of Object.entries(await documentFiles())) expect(read(path)).toBe(text);
});

it("[GW-06] explains every setting of the file on the reference page, and the parts of plan mode in words", () => {
  const page = read("docs/SETTINGS.md");
  for (const path of [
    "gateway.port",
    "store",
    "agents.defaults.planMode.enabled",
    "tools.exec.sandbox",
    "mcp.servers.<name>",
  ])
    expect(page).toContain(`| \`${path}\` |`);
  const planMode = page.split("\n").filter((line) => line.startsWith("| `agents.defaults.planMode."));
  expect(planMode.length).toBeGreaterThan(10);
  expect(
    page.split("\n").filter((line) => /^\| `agents\.defaults\.planMode\.(?:enabled|unlock|lint)`.*\|\s*\|$/.test(line)),
  ).toEqual([]);
});

it("names a document that says something else, and one that is not there", () => {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-documents-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = { "docs/A.md": "a", "docs/B.md": "b", "docs/C.md": "c" };
  for (const [path, text] of [
    ["docs/A.md", "a"],
    ["docs/B.md", "old"],
  ] as const) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(outdated(root, files)).toEqual(["docs/B.md", "docs/C.md"]);
});

it("[IN-08] the skill about plan mode can be read, and the scan finds nothing in it", async () => {
  const find = createSkillFinder(async (text) => scan(text));
  const { skills, problems } = await find([{ base: { folder: ROOT }, name: join("docs", "guides") }]);
  expect(problems).toEqual([]);
  expect(skills).toMatchObject([{ name: "plan-mode-101", findings: [] }]);
});

/** `holdpoint plan accept`: the words of every command. */
const lines = (function walk(command = buildProgram(), path = "holdpoint"): string[] {
  return command.commands.flatMap((child) => {
    const own = `${path} ${child.name()}`;
    return child.commands.length === 0 ? [own] : walk(child, own);
  });
})();

it("the runbook names only commands that there are", () => {
  const named = [...read("docs/guides/runbook.md").matchAll(/\bholdpoint (?:[a-z-]+ ?){1,2}/g)].map(([line]) =>
    line.trim(),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((line) => !lines.some((known) => `${line} `.startsWith(`${known} `)))).toEqual([]);
});

const READS = [
  "start demo status doctor backup completion exit-codes help code:run",
  "plan:list plan:show plan:diff plan:notes plan:export plans:search plans:export scenario:run",
  "sessions:list sessions:show sessions:log audit:list audit:verify models:list models:test config:get config:schema config:path",
  "channels:list channels:kinds channels:check pair:list",
  "tokens:list passkeys:list gate:check gate:explain gate:doctor hooks:status mcp:list mcp:serve mcp:test plugins:list plugins:info plugins:doctor cron:list cron:show cron:runs cron:standing",
]
  .flatMap((row) => row.split(" "))
  .map((name) => `holdpoint ${name.replace(":", " ")}`);

it("[AE-02] after an approval with edits every command of the gateway is held that is not known to read", () => {
  const place = { cwd: "/w", home: "/home/u" };
  const passing = lines.filter((line) => inspectCommand(`${line} x`, place) === undefined);
  expect(passing.filter((line) => !READS.includes(line))).toEqual([]);
});
