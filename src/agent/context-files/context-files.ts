/**
 * What people keep for the agent (AGENTS.md, SOUL.md, the index of its memory, skills), on its way into the prompt:
 * bounded, scanned, and with a warning for every finding. Read once per turn; an unchanged file is not scanned again.
 */
import { join } from "node:path";
import type { Session } from "../../protocol/session.ts";
import { defuseLine } from "../../plugins/sdk.ts";
import { type Base, readWithin } from "./read-file.ts";
import { type Finding, FINDINGS_MAX, quotedAsData } from "./finding.ts";
import { findingInWords } from "./scan/finding-kind.ts";
import { createScan, type Scan } from "./scan-record.ts";
import type { SkillTemplate } from "../../plan-mode/protocol/template/skill-template.ts";
import { createSkillFinder, type Skill, type SkillFolder, type SkillPlace } from "./skills.ts";
import { asIs, lines, type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";

/** All files together; a prompt that is mostly files leaves no room for the work. */
const CONTEXT_CHARS_MAX = 48_000;
const SCANNED_KEPT_MAX = 500;
const WARNING_FINDINGS_MAX = 5;
const PATH_CHARS_MAX = 300;

type ContextFile = { name: string; text: string };
export type LoadedContext = {
  files: readonly ContextFile[];
  skills: readonly Pick<Skill, "name" | "description">[];
  /** For the people who watch: findings, and what was left out. */
  warnings: readonly LocalizedText[];
};

/** `id`: whose turn it is for; absent where it is for none. */
type Place = Pick<Session, "agentId" | "workspace" | "rooted"> & Partial<Pick<Session, "id">>;

export type ContextFiles = {
  load(place: Place): Promise<LoadedContext>;
  /** The whole text of a skill; undefined when there is none of that name. */
  skill(place: Place, name: string): Promise<{ text: string; warnings: readonly LocalizedText[] } | undefined>;
  /** What the listed skills bring into plans; one look serves this and `load` where both are asked at once for a session. */
  templates(place: Place): Promise<SkillTemplate[]>;
  /** What the files that were read last hold, for operators: one line for each file with findings. */
  notes(): string[];
};

export type ContextFilesParts = {
  /** The gateway's folder; an agent's own files are in `agents/<id>/` there. */
  home: string;
  /** Which files, in this order, from the agent's folder and then from the workspace; and whether skills are listed. */
  settings(place: Place): { contextFiles: readonly string[]; skills: boolean };
  /** Whether the session may still use its folder; nothing is read from one that it may not. Absent: it may. */
  isUsable?(place: Place): Promise<boolean>;
  /** Leaves out what must not enter a prompt. Absent: nothing. */
  redact?(text: string): string;
};

type Scanned = { text: string; findings: readonly Finding[] };

export function createContextFiles({ home, settings, isUsable, redact }: ContextFilesParts): ContextFiles {
  const isOpen = async (place: Place): Promise<boolean> => (await isUsable?.(place)) ?? true;
  const scan = createScan(join(home, "cache", "scans.json"));
  const files = createScanner(scan, redact ?? ((text) => text));
  const scanned = files.read;
  const findSkills = createSkillFinder(scan);
  const own = ({ agentId }: Place): Base => ({ folder: join(home, "agents", agentId) });
  const shared = ({ workspace }: Place): Base => ({ folder: workspace, closed: home });
  const skillPlaces = (place: Place, isRead: boolean): SkillPlace[] => [
    { base: own(place), name: "skills" },
    ...(isRead ? [join(".holdpoint", "skills"), "skills"].map((name) => ({ base: shared(place), name })) : []),
  ];
  const rootsOf = (place: Place, isRead: boolean) => [
    { base: own(place), label: (file: string) => localized("ownFile", { file }) },
    ...(isRead ? [{ base: shared(place), label: asIs }] : []),
  ];
  const look = async (place: Place, open = isOpen(place)): Promise<SkillFolder> =>
    findSkills(skillPlaces(place, await open));
  const turns = createTurnLooks();

  return {
    async load(place) {
      const { contextFiles, skills: listed } = settings(place);
      const open = isOpen(place);
      const looking = listed ? turns.looking(place.id, () => look(place, open)) : NO_SKILLS;
      const reading = open.then((isRead) =>
        Promise.all(
          rootsOf(place, isRead).flatMap(({ base, label }) =>
            contextFiles.map(async (name) => ({ label: label(name), file: await scanned(base, name) })),
          ),
        ),
      );
      const [read, { skills, problems }] = await Promise.all([reading, looking]);
      const loading: Loading = { files: [], warnings: [], charsLeft: CONTEXT_CHARS_MAX };
      for (const { file, label } of read) take(file, label, loading);
      const flagged = skills.filter((skill) => skill.findings.length > 0);
      const warnings = [
        ...loading.warnings,
        ...flagged.map((skill) => warningOf(localized("skillFile", { skill: skill.name }), skill.findings)),
        ...problems,
      ];
      return { files: loading.files, skills: skills.map(({ name, description }) => ({ name, description })), warnings };
    },
    async skill(place, name) {
      const { skills } = await look(place);
      const skill = skills.find((item) => item.name === name);
      const file = skill === undefined ? undefined : await scanned(skill.base, skill.file);
      if (skill === undefined || file === undefined) return undefined;
      const warnings =
        file.findings.length === 0 ? [] : [warningOf(localized("skillFile", { skill: name }), file.findings)];
      return { text: safeText(file), warnings };
    },
    async templates(place) {
      if (!settings(place).skills) return [];
      const { skills } = await turns.looking(place.id, () => look(place));
      return skills.flatMap(({ template }) => template ?? []);
    },
    notes: () =>
      [...files.kept()].flatMap(([path, { findings }]) => (findings.length > 0 ? [noteOf(path, findings)] : [])),
  };
}

const NO_SKILLS: SkillFolder = { skills: [], problems: [] };

/** The looks at skills that turns have under way: what the prompt lists and what a plan begins with are of one look. */
function createTurnLooks() {
  const looks = new Map<string, Promise<SkillFolder>>();
  return {
    looking(id: string | undefined, look: () => Promise<SkillFolder>): Promise<SkillFolder> {
      if (id === undefined) return look();
      const underWay = looks.get(id);
      if (underWay !== undefined) return underWay;
      const looking = look();
      looks.set(id, looking);
      const end = (): unknown => looks.get(id) === looking && looks.delete(id); // one that is over may be out of date
      looking.then(end, end);
      return looking;
    },
  };
}

/** Without the words of the file: a note stands where it could be taken for the gateway's own voice. */
function noteOf(path: string, findings: readonly Finding[]): string {
  const shown = findings
    .slice(0, WARNING_FINDINGS_MAX)
    .map(({ kind, lines: at }) => `line ${at[0] ?? 1} ${findingInWords(kind).text}`);
  const more = findings.length - shown.length;
  return `${defuseLine(path, PATH_CHARS_MAX)}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}. The agent sees these lines quoted as data.`;
}

type Loading = { files: ContextFile[]; warnings: LocalizedText[]; charsLeft: number };

function take(file: Scanned | undefined, label: LocalizedText, loading: Loading): void {
  if (file === undefined || file.text.trim() === "") return;
  const text = safeText(file);
  const shown =
    text.length <= loading.charsLeft
      ? text
      : `${text.slice(0, loading.charsLeft).toWellFormed()}\n[the rest was left out]`;
  if (file.findings.length > 0) loading.warnings.push(warningOf(label, file.findings));
  if (shown !== text) loading.warnings.push(localized("fileTooLong", { file: label }));
  loading.charsLeft = Math.max(0, loading.charsLeft - shown.length);
  loading.files.push({ name: label.text, text: shown });
}

/** Beyond a certain number of findings a file is no guidance any more, and decoys must not hide what comes after them. */
function safeText({ text, findings }: Scanned): string {
  if (findings.length >= FINDINGS_MAX)
    return "[left out: too many lines of this file look like attempts to take the agent over]";
  return quotedAsData(text, findings);
}

function warningOf(file: LocalizedText, findings: readonly Finding[]): LocalizedText {
  const shown = findings
    .slice(0, WARNING_FINDINGS_MAX)
    .map(({ kind, lines: at, excerpt }) =>
      localized("fileLine", { line: at[0] ?? 1, kind: findingInWords(kind), excerpt }),
    );
  const more = findings.length - shown.length;
  return lines([localized("fileSteers", { file }), ...shown, ...(more > 0 ? [localized("fileMore", { more })] : [])]);
}

/** Reads and scans; a file that has not changed is not scanned again. */
function createScanner(scan: Scan, redact: (text: string) => string) {
  const kept = new Map<string, Scanned & { stamp: string }>();
  async function read(base: Base, name: string): Promise<Scanned | undefined> {
    const key = join(base.folder, name);
    const known = kept.get(key);
    const file = await readWithin(base, name, known?.stamp);
    if (file === "unchanged") return known;
    if (file === undefined) {
      kept.delete(key);
      return undefined;
    }
    const text = redact(file.cut ? `${file.text}\n[the rest was left out]` : file.text);
    const made = { text, findings: await scan(text), stamp: file.stamp };
    kept.delete(key);
    kept.set(key, made);
    const oldest = kept.keys().next().value;
    if (kept.size > SCANNED_KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return made;
  }
  return { read, kept: (): ReadonlyMap<string, Scanned> => kept };
}
