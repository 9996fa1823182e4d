/** Skills: folders with a SKILL.md whose front matter says what it is for. Listed by that, read when it is needed. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { defuseLine } from "../../plugins/sdk.ts";
import { readWithin } from "./read-file.ts";
import { type Finding, scan } from "./scan.ts";

const SKILLS_MAX = 50;
const FOLDERS_LOOKED_AT_MAX = 200;
const FRONT_MATTER_CHARS_MAX = 8_192;
const DESCRIPTION_CHARS_MAX = 300;

const FrontMatter = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, "letters, digits, . _ and - only, at most 64"),
  description: z.string().trim().min(1).max(2_000),
});

export type Skill = { name: string; description: string; folder: string; findings: readonly Finding[] };
export type SkillFolder = { skills: Skill[]; problems: string[] };

/** The first folder that names a skill has it; broken ones are left out and named. */
export async function findSkills(folders: readonly string[]): Promise<SkillFolder> {
  const found: SkillFolder = { skills: [], problems: [] };
  for (const folder of folders) {
    for (const name of await subfolders(folder)) {
      if (found.skills.length >= SKILLS_MAX) {
        found.problems.push(`More than ${SKILLS_MAX} skills: the rest is left out.`);
        return sorted(found);
      }
      await take(join(folder, name), found);
    }
  }
  return sorted(found);
}

async function take(folder: string, found: SkillFolder): Promise<void> {
  const file = await readWithin(folder, "SKILL.md");
  if (file === undefined) return;
  const parsed = frontMatterOf(file.text);
  if (!parsed.success) {
    found.problems.push(`The skill in ${folder} is left out: its front matter needs a name and a description.`);
    return;
  }
  const { name, description } = parsed.data;
  if (found.skills.some((skill) => skill.name === name)) return;
  const findings = scan(description);
  const shown =
    findings.length > 0
      ? "(its description looked like an attack and is withheld)"
      : defuseLine(description, DESCRIPTION_CHARS_MAX);
  found.skills.push({ name, description: shown, folder, findings });
}

const sorted = ({ skills, problems }: SkillFolder): SkillFolder => ({
  skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  problems,
});

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .slice(0, FOLDERS_LOOKED_AT_MAX);
}

function frontMatterOf(text: string) {
  const block = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text.slice(0, FRONT_MATTER_CHARS_MAX))?.[1];
  return FrontMatter.safeParse(block === undefined ? undefined : parsedYaml(block));
}

function parsedYaml(block: string): unknown {
  try {
    return parse(block, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
