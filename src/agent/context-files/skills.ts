/** Skills: folders with a SKILL.md whose front matter says what it is for. Listed by that, read when it is needed. */
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { defuseLine } from "../../plugins/sdk.ts";
import { templateOf } from "./skill-template.ts";
import type { SkillTemplate } from "../../plan-mode/protocol/template/skill-template.ts";
import { type Base, foldersWithin, readWithin } from "./read-file.ts";
import type { Finding } from "./finding.ts";
import type { Scan } from "./scan-record.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";

const SKILLS_MAX = 50;
const FOLDERS_LOOKED_AT_MAX = 200;
const FRONT_MATTER_CHARS_MAX = 32_768; // a template of some hundred steps
const DESCRIPTION_CHARS_MAX = 300;
const SKILLS_KEPT_MAX = 1_000;
const READ_AT_ONCE = 16; // enough to hide the waiting, few enough to leave files for others

const FrontMatter = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, "letters, digits, . _ and - only, at most 64"),
  description: z.string().trim().min(1).max(2_000),
  // what is wrong in these costs the template, not the skill
  "plan-template": z.unknown().optional(),
  planTemplate: z.unknown().optional(),
  archetype: z.unknown().optional(),
});

/** `file`: its SKILL.md, by its name in the base. */
export type Skill = {
  name: string;
  description: string;
  base: Base;
  file: string;
  findings: readonly Finding[];
  /** What it brings into plans; absent: nothing. */
  template?: SkillTemplate;
  /** Why its template does not count, though it has one. */
  problem?: LocalizedText;
};
/** A folder of skills, by its name in the base. */
export type SkillPlace = { base: Base; name: string };
export type SkillFolder = { skills: Skill[]; problems: LocalizedText[] };

/** Finds the skills of some folders. A SKILL.md that has not changed is not parsed and scanned again. */
export type FindSkills = (places: readonly SkillPlace[]) => Promise<SkillFolder>;

/** Undefined: no skill there. */
type Read = Skill | { problem: LocalizedText } | undefined;

/** The first folder with a skill of a name wins; broken skills are left out and reported. */
export function createSkillFinder(scan: Scan): FindSkills {
  const kept = new Map<string, { stamp: string; read: Promise<Read> }>();

  function keep(key: string, stamp: string, read: Promise<Read>): Promise<Read> {
    kept.delete(key);
    kept.set(key, { stamp, read });
    const oldest = kept.keys().next().value;
    if (kept.size > SKILLS_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    read.catch(() => kept.get(key)?.read === read && kept.delete(key)); // reported where it is awaited, and tried again
    return read;
  }

  async function readSkill({ base, name }: SkillPlace): Promise<Read> {
    const file = join(name, "SKILL.md");
    const key = join(base.folder, file);
    const known = kept.get(key);
    const found = await readWithin(base, file, known?.stamp);
    if (found === "unchanged") return known?.read;
    if (found === undefined) {
      kept.delete(key);
      return undefined;
    }
    const meanwhile = kept.get(key); // looks that begin together parse a file once
    if (meanwhile?.stamp === found.stamp) return meanwhile.read;
    return keep(key, found.stamp, skillOf({ base, name }, found.text, scan));
  }

  return async (places) => {
    const found: SkillFolder = { skills: [], problems: [] };
    const listed = await Promise.all(places.map(foldersIn)); // at once: a turn waits for this look
    for (const [place, { base }] of places.entries()) {
      const names = listed[place] ?? [];
      for (let at = 0; at < names.length; at += READ_AT_ONCE) {
        const some = names.slice(at, at + READ_AT_ONCE);
        const reads = await Promise.all(some.map((name) => readSkill({ base, name })));
        if (!reads.every((read) => take(read, found))) return sorted(found);
      }
    }
    return sorted(found);
  };
}

const foldersIn = async ({ base, name }: SkillPlace): Promise<string[]> =>
  (await foldersWithin(base, name))
    .toSorted()
    .slice(0, FOLDERS_LOOKED_AT_MAX)
    .map((folder) => join(name, folder));

/** False when there is no room for more. */
function take(read: Read, found: SkillFolder): boolean {
  if (read === undefined) return true;
  if (found.skills.length >= SKILLS_MAX) {
    found.problems.push(localized("skillsMax", { max: SKILLS_MAX }));
    return false;
  }
  if (!("name" in read)) found.problems.push(read.problem);
  else if (found.skills.every((skill) => skill.name !== read.name)) {
    found.skills.push(read);
    if (read.problem !== undefined) found.problems.push(read.problem);
  }
  return true;
}

async function skillOf({ base, name: folder }: SkillPlace, text: string, scan: Scan): Promise<Read> {
  const parsed = frontMatterOf(text);
  if (!parsed.success) return { problem: localized("skillUnnamed", { folder: join(base.folder, folder) }) };
  const { name, description } = parsed.data;
  const findings = await scan(description);
  const shown =
    findings.length > 0
      ? "(its description looked like an attack and is withheld)"
      : defuseLine(description, DESCRIPTION_CHARS_MAX);
  const brought = await templateOf(parsed.data, scan);
  return { name, description: shown, base, file: join(folder, "SKILL.md"), findings, ...brought };
}

const sorted = ({ skills, problems }: SkillFolder): SkillFolder => ({
  skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  problems,
});

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
