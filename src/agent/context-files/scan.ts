/**
 * Looks through text that will enter a prompt for attempts to take the agent over. Sentences are judged by what they
 * ask for (scan/rules.ts), lines by their markup (scan/markup.ts). A finding is no proof: its lines are quoted as data
 * and a person is warned; the rest of the file stays as it is.
 */
import { defuse, firstChars, oneLine } from "../../plugins/sdk.ts";
import { type Finding, FINDINGS_MAX, linesOf } from "./finding.ts";
import { type Block, blocksOf, fencedLines } from "./scan/blocks.ts";
import { decodedBodies } from "./scan/decoded-bodies.ts";
import type { FindingKind } from "./scan/finding-kind.ts";
import { addressesModel, type Judgement, judge } from "./scan/judge.ts";
import { lineKinds } from "./scan/markup.ts";
import { SIGN_KINDS } from "./scan/rules.ts";
import { sentencesOf } from "./scan/sentences.ts";
import { tagSentence } from "./scan/tag-words.ts";

const EXCERPT_CHARS_MAX = 160;

type Place = { kind: FindingKind; from: number; to: number };

export function scan(text: string): Finding[] {
  const lines = linesOf(text);
  const fenced = fencedLines(lines);
  const places = [...sentencePlaces(lines, fenced), ...linePlaces(lines, fenced)];
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from)) {
    const key = `${place.kind} ${place.from} ${place.to}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(found(place, lines));
    if (findings.length >= FINDINGS_MAX) break;
  }
  return findings;
}

function found({ kind, from, to }: Place, lines: readonly string[]): Finding {
  const numbers = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  const text = numbers.map((n) => lines[n - 1] ?? "").join(" ");
  return { kind, lines: numbers, excerpt: firstChars(oneLine(defuse(text)), EXCERPT_CHARS_MAX) };
}

function sentencePlaces(lines: readonly string[], fenced: readonly boolean[]): Place[] {
  const places: Place[] = [];
  for (const block of blocksOf(lines.join("\n"), fenced)) {
    if (!block.apart) places.push(...blockPlaces(block));
    if (places.length > FINDINGS_MAX * 4) break; // a file full of findings is left out whole
  }
  return places;
}

type Judged = Place & Judgement;

/** Weak signs of a block count together: two that are about different things are a finding, one is none. */
function blockPlaces(block: Block): Place[] {
  const judged: Judged[] = [];
  let isAddressed = block.place === "comment" && block.text.length < 4_000 && mentionsModel(block.text);
  for (const sentence of sentencesOf(block)) {
    const place = { from: sentence.firstLine, to: sentence.lastLine };
    const { addresses, judgements } = weigh(sentence.text);
    isAddressed ||= addresses;
    if (!sentence.asks) judged.push(...judgements.map((one) => ({ ...one, ...place })));
  }
  const signs = new Set(judged.map(({ about }) => about)).size + (isAddressed || block.place === "comment" ? 1 : 0);
  const isEnough = signs >= 2 && block.place !== "row" && judged.some(({ kind }) => !SIGN_KINDS.has(kind));
  return judged
    .filter(({ kind, strong }) => strong || (isEnough && !SIGN_KINDS.has(kind)))
    .map(({ kind, from, to }) => ({ kind, from, to }));
}

type Weighed = { addresses: boolean; judgements: readonly Judgement[] };
const WEIGHED_MAX = 2_000;
const WEIGHED = new Map<string, Weighed>();

/** Files repeat each other's sentences, and their own: each is judged once. */
function weigh(sentence: string): Weighed {
  const known = WEIGHED.get(sentence);
  if (known !== undefined) return known;
  const tagged = tagSentence(sentence);
  const weighed = { addresses: tagged.some(addressesModel), judgements: tagged.flatMap(judge) };
  if (WEIGHED.size >= WEIGHED_MAX) WEIGHED.clear();
  WEIGHED.set(sentence, weighed);
  return weighed;
}

const mentionsModel = (text: string): boolean =>
  /\b(?:AI|LLM|agents?|assistants?|language models?|Claude|GPT|Copilot|Gemini|chatbot|KI|IA|ШІ)\b|人工智能|智能体|エージェント|アシスタント|에이전트|어시스턴트|助手|助理/.test(
    text,
  );

function linePlaces(lines: readonly string[], fenced: readonly boolean[]): Place[] {
  const places: Place[] = [];
  for (const [at, line] of lines.entries()) {
    const marked = { line, fenced: fenced[at] === true, quoted: /^\s{0,3}>(?!\s*\[!)/.test(line) };
    for (const kind of lineKinds(marked)) places.push({ kind, from: at + 1, to: at + 1 });
    if (decodedBodies(line).some(isAttack)) places.push({ kind: "encoded", from: at + 1, to: at + 1 });
    if (places.length > FINDINGS_MAX * 4) break;
  }
  return places;
}

const isAttack = (body: string): boolean =>
  sentencePlaces(linesOf(body), []).length > 0 ||
  linesOf(body).some((line) => lineKinds({ line, fenced: false, quoted: false }).length > 0);
