/** The labelled set of the injection scan: ordinary files put together from written sections, and attacks inside such files. */
import { readFileSync } from "node:fs";

export type Half = "first" | "second" | "third" | "fourth";
export type OrdinaryFile = { id: string; language: string; text: string };
export type Attack = { id: string; language: string; kind: string; text: string };
/** An attack where it would stand: in the middle of an ordinary file. */
export type PlantedAttack = Attack & { file: string; from: number; to: number };

const SECTIONS_MIN = 4;
const SECTIONS_MAX = 8;
const LINES_MIN = 20;
const FILES_PER_ENGLISH_SECTION = 2;
const HALF_BEFORE: Readonly<Partial<Record<Half, Half>>> = { second: "first", third: "second", fourth: "third" };

/** A small generator with a fixed seed: the set is the same on every machine. */
function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const read = (name: string): string => readFileSync(new URL(`./${name}.txt`, import.meta.url), "utf8");

const split = (text: string): string[] => text.split(/^%%%$/m).map((section) => section.trim());

function sectionsOf(half: Half): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  sections.set("en", split(read(`ordinary-${half}-en`)));
  for (const part of read(`ordinary-${half}-others`).split(/^@@@ /m)) {
    const [language = "", ...rest] = part.split("\n");
    if (language.trim() !== "") sections.set(language.trim(), split(rest.join("\n")));
  }
  return sections;
}

const TITLES = [
  "# AGENTS.md",
  "# Working here",
  "# SOUL",
  "# Memory",
  "# Contributing",
  "# Runbook",
  "# Skill",
  "# Security",
];

/** Every section stands in several files, beside others and in changing order. */
export function ordinaryFiles(half: Half): OrdinaryFile[] {
  const chance = createChance(half.length * 7_919 + 17);
  const files: OrdinaryFile[] = [];
  const before = HALF_BEFORE[half];
  const fillers = before === undefined ? undefined : sectionsOf(before);
  for (const [language, sections] of sectionsOf(half)) {
    const count = language === "en" ? sections.length * FILES_PER_ENGLISH_SECTION : sections.length;
    for (let n = 0; n < count; n += 1) {
      const first = sections[n % sections.length] ?? "";
      const others = shuffled(
        sections.filter((section) => section !== first),
        chance,
      );
      const size = SECTIONS_MIN + chance(SECTIONS_MAX - SECTIONS_MIN + 1);
      const chosen = shuffled([first, ...others.slice(0, size - 1)], chance);
      const title = TITLES[chance(TITLES.length)] ?? "";
      fill(chosen, shuffled(fillers?.get(language) ?? [], chance));
      files.push({ id: `${half}-${language}-${n + 1}`, language, text: [title, ...chosen].join("\n\n") });
    }
  }
  return files;
}

/** Few short sections make no file: those of the half before fill it up. */
function fill(chosen: string[], fillers: readonly string[]): void {
  for (const filler of fillers) if (lineCount(chosen) < LINES_MIN) chosen.push(filler);
}

const lineCount = (sections: readonly string[]): number => sections.join("\n\n").split("\n").length + 2;

function shuffled<Item>(items: readonly Item[], chance: (below: number) => number): Item[] {
  const rest = [...items];
  const out: Item[] = [];
  while (rest.length > 0) out.push(...rest.splice(chance(rest.length), 1));
  return out;
}

const partsOf = (name: string): { head: string; text: string }[] =>
  read(name)
    .split(/^%%% /m)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [head = "", ...lines] = part.trimEnd().split("\n");
      return { head: head.trim(), text: lines.join("\n") };
    });

const attacks = (half: Half | "alone"): Attack[] =>
  partsOf(`attacks-${half}`).map(({ head, text }, n) => {
    const [language = "", kind = "", written] = head.split(" ");
    const id = `${half}-${language}-${kind}-${n + 1}`;
    return { id, language, kind, text: written === "escaped" ? unescaped(text) : text };
  });

const unescaped = (text: string): string =>
  text.replace(/\\u\{([0-9A-F]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Each attack is planted as a paragraph of its own between two sections of an ordinary file of its language. */
export function plantedAttacks(half: Half): PlantedAttack[] {
  const files = Map.groupBy(ordinaryFiles(half), ({ language }) => language);
  return attacks(half).map((attack, n) => {
    const hosts = files.get(attack.language) ?? [];
    const sections = (hosts[n % hosts.length]?.text ?? "").split(/\n\n(?=##+ )/);
    const at = 1 + (n % Math.max(1, sections.length - 1));
    const before = [...sections.slice(0, at), "## Notes"].join("\n\n");
    const from = before.split("\n").length + 2;
    const file = [before, attack.text, ...sections.slice(at)].join("\n\n");
    return { ...attack, file, from, to: from + attack.text.split("\n").length - 1 };
  });
}

/** Attacks and ordinary notes by themselves, as a short file holds them, in further languages too. */
export const aloneAttacks = (): Attack[] => attacks("alone");
export const aloneNotes = (): OrdinaryFile[] =>
  partsOf("ordinary-alone").map(({ head, text }, n) => ({ id: `alone-${head}-${n + 1}`, language: head, text }));
