import * as fs from "node:fs/promises";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { planFileNames, planSlug } from "./plan-file-name.ts";
import { nameProblem } from "./safe-name.ts";
import { type Disk, type PlanFile, writePlanFile } from "./write-plan-file.ts";

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function aHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-plan-files-"));
  made.push(folder);
  return folder;
}

const DAY = Date.UTC(2026, 0, 5, 23, 59);
const aFile = (home: string, change: Partial<PlanFile> = {}): PlanFile => ({
  home,
  agentId: "main",
  title: "Move the payments",
  atMs: DAY,
  text: "# Move the payments\n",
  ...change,
});
const plans = (home: string, agentId = "main"): string => join(home, "agents", agentId, "plans");

it("[ST-01] names the file by day and title, in plain letters, cut without a hyphen at the end", () => {
  const first = (title: string): string | undefined => [...planFileNames({ title, atMs: DAY })][0];
  expect(first("Zürich: Lösch-Konzept!")).toBe("plan-2026-01-05-zurich-losch-konzept.md");
  expect(planSlug("Ünïcode ﬁle")).toBe("unicode-file");
  expect(planSlug("計画")).toBe("untitled");
  expect(planSlug("../../etc/passwd")).toBe("etc-passwd");
  expect(planSlug(`${"a".repeat(59)} b`)).toBe("a".repeat(59));
  expect([...planFileNames({ title: "x", atMs: DAY })]).toHaveLength(99);
});

it("[ST-01] is created exclusively, with -2 to -99 where the name is taken, for its owner alone", async () => {
  const home = aHome();
  for (const text of ["one", "two", "three"]) await writePlanFile(aFile(home, { text }));
  const name = "plan-2026-01-05-move-the-payments";
  expect(readdirSync(plans(home)).toSorted()).toEqual([`${name}-2.md`, `${name}-3.md`, `${name}.md`]);
  expect(readFileSync(join(plans(home), `${name}-2.md`), "utf8")).toBe("two");
  expect(statSync(join(plans(home), `${name}.md`)).mode & 0o777).toBe(0o600);
  expect(statSync(plans(home)).mode & 0o777).toBe(0o700);
  expect(await writePlanFile(aFile(home, { text: "two" }))).toEqual({ name: `${name}-2.md` }); // the same order once more
  for (const taken of planFileNames(aFile(home))) writeFileSync(join(plans(home), taken), "somebody's");
  expect(await writePlanFile(aFile(home))).toMatchObject({ lost: "taken" });
  expect(readdirSync(plans(home))).toHaveLength(99); // and nothing half-written is left
});

it("[ST-01] remembers what other files of a title hold: it looks at none of them twice, and takes a name that is free again", async () => {
  const home = aHome();
  const looked: string[] = [];
  const disk: Disk = { ...fs, link: (from, to) => (looked.push(basename(String(to))), fs.link(from, to)) };
  const [found, name] = [new Map(), "plan-2026-01-05-move-the-payments"];
  for (const text of ["one", "two", "six"]) await writePlanFile(aFile(home, { text }), disk, found);
  expect(looked).toEqual([`${name}.md`, `${name}-2.md`, `${name}-3.md`]);
  expect(await writePlanFile(aFile(home, { text: "two" }), disk, found)).toEqual({ name: `${name}-2.md` }); // the same order once more
  unlinkSync(join(plans(home), `${name}.md`));
  expect(await writePlanFile(aFile(home, { text: "ten" }), disk, found)).toEqual({ name: `${name}.md` });
  writeFileSync(join(plans(home), `${name}-4.md`), "somebody's");
  expect(await writePlanFile(aFile(home, { text: "new" }), disk, found)).toEqual({ name: `${name}-5.md` });
  expect(readdirSync(plans(home))).toHaveLength(5);
});

it.each(["..", ".", "a/b", "a\\b", "", "con", "LPT1.txt", "main.", "a\0b", "-rf", "x".repeat(129)])(
  "[ST-01, ST-03] refuses %j as a part of a path before one is built",
  async (agentId) => {
    const home = aHome();
    expect(nameProblem(agentId)).toBeDefined();
    expect(await writePlanFile(aFile(home, { agentId }))).toMatchObject({ lost: "refused" });
    expect(readdirSync(home)).toEqual([]);
  },
);

it("[ST-01] follows no link, neither on the way nor in place of the file", async () => {
  const elsewhere = aHome();
  const linked = aHome();
  mkdirSync(join(linked, "agents", "main"), { recursive: true });
  symlinkSync(elsewhere, plans(linked));
  expect(await writePlanFile(aFile(linked))).toMatchObject({ lost: "refused" });
  const home = aHome();
  mkdirSync(plans(home), { recursive: true });
  symlinkSync(join(elsewhere, "target"), join(plans(home), "plan-2026-01-05-move-the-payments.md"));
  expect(await writePlanFile(aFile(home))).toEqual({ name: "plan-2026-01-05-move-the-payments-2.md" });
  expect([readdirSync(elsewhere), existsSync(join(elsewhere, "target"))]).toEqual([[], false]);
});

const failing = (code: string): Disk => ({
  ...fs,
  open: () => Promise.reject(Object.assign(new Error(code), { code })),
});

it("[ST-01] tells a full, a read-only and a failing disk apart, and has what may pass tried again", async () => {
  const home = aHome();
  const lost = async (code: string): Promise<unknown> => writePlanFile(aFile(home), failing(code));
  expect([await lost("ENOSPC"), await lost("EDQUOT")]).toMatchObject([{ lost: "full" }, { lost: "full" }]);
  expect([await lost("EROFS"), await lost("EACCES")]).toMatchObject([{ lost: "read_only" }, { lost: "read_only" }]);
  expect(await lost("EIO")).toMatchObject({ lost: "unwritable" });
  await expect(lost("EMFILE")).rejects.toThrow("EMFILE");
});

it("[ST-01] is created exclusively where the disk has no links, too", async () => {
  const home = aHome();
  const noLinks: Disk = { ...fs, link: () => Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" })) };
  await writePlanFile(aFile(home, { text: "one" }), noLinks);
  await writePlanFile(aFile(home, { text: "two" }), noLinks);
  expect(readFileSync(join(plans(home), "plan-2026-01-05-move-the-payments-2.md"), "utf8")).toBe("two");
  expect(readdirSync(plans(home))).toHaveLength(2);
});
