/** Judges one sentence: what it asks for, unless it forbids, limits or only reports it. */
import type { Concept } from "./concept.ts";
import type { FindingKind } from "./finding-kind.ts";
import { bitOf, CHINESE_BITS, ENGLISH_BIT } from "./look-up.ts";
import { type Rule, RULES } from "./rules.ts";
import { type Hit, isAskedOfOthers, isOrder, type TaggedSentence, type Word } from "./tag-words.ts";

/** `about`: the idea that the rule is about. */
export type Judgement = { kind: FindingKind; strong: boolean; about: Concept };

/** Where the verb ends the sentence, what negates it comes behind it. */
const VERB_LAST = bitOf("ja") | bitOf("ko") | bitOf("tr") | bitOf("de");
const NEGATED_BEFORE_WORDS = 6;
const NEGATED_BEHIND_WORDS = 8;
/** Negations are words of their own there only in part; the lexicon lists the negated forms. */
const NO_PAIRS = bitOf("ja") | bitOf("ko") | bitOf("tr") | CHINESE_BITS;
const PAIR_GAP_WORDS_MAX = 2;
const PAIR_BEHIND_WORDS_MAX = 6;

const RULES_OF_HEAD: ReadonlyMap<Concept, readonly Rule[]> = Map.groupBy(RULES, ({ head }) => head);
const LIMITING: ReadonlySet<Concept> = new Set<Concept>([
  "not",
  "without",
  "noNeed",
  "if",
  "only",
  "unless",
  "before",
  "after",
  "report",
  "outside",
  "elsewhere",
  "tooling",
  "safe",
  "protocol",
]);

/** A negation with what it negates is an idea of its own: "do not tell", "without asking", "no need to wait". */
const PAIRS: readonly { first: readonly Concept[]; second: Concept; makes: Concept }[] = [
  { first: ["not", "without", "noNeed"], second: "tell", makes: "noTell" },
  { first: ["not", "without", "noNeed"], second: "ask", makes: "skipAsk" },
  { first: ["not"], second: "follow", makes: "unfollow" },
];

const PAIRED: ReadonlySet<Concept> = new Set(PAIRS.map(({ second }) => second));

export function judge({ words, hits }: TaggedSentence): Judgement[] {
  const found: Judgement[] = [];
  if (!hits.some(({ concept }) => RULES_OF_HEAD.has(concept) || PAIRED.has(concept))) return [];
  const candidates = isEnglish(words) ? ENGLISH_BIT : maskOf(hits);
  for (let bit = 1; bit <= candidates; bit <<= 1) {
    const own = hits.filter(({ languages }) => (languages & bit) !== 0);
    if (!own.some(({ concept }) => RULES_OF_HEAD.has(concept) || PAIRED.has(concept))) continue;
    found.push(...judgeIn(bit, { words, hits: withoutInner(own) }));
  }
  return found;
}

/** Whether a sentence speaks to whatever model reads it. */
export const addressesModel = ({ hits }: TaggedSentence): boolean => hits.some(({ concept }) => concept === "address");

/** Whether a heading or the line before a list says that what follows is an example, a threat, or forbidden. */
export const setsApart = ({ hits }: TaggedSentence): boolean =>
  hits.some(({ concept }) => concept === "report" || concept === "not");

const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  "the and is are of with you your this that from be it been which must should".split(" "),
);
const ENGLISH_WORDS_MIN = 1;
const ENGLISH_WORDS_AMONG_OTHERS_MIN = 4;

/** Words of other languages, without their accents, may look like English ones and mean something else. */
function isEnglish(words: readonly Word[]): boolean {
  const count = words.filter(({ text }) => ENGLISH_WORDS.has(text.toLowerCase())).length;
  const isPlain = words.every(({ text }) => /^[ -~]*$/.test(text));
  return count >= (isPlain ? ENGLISH_WORDS_MIN : ENGLISH_WORDS_AMONG_OTHERS_MIN);
}

const maskOf = (hits: readonly Hit[]): number => hits.reduce((mask, { languages }) => mask | languages, 0);

/** A limiting word inside a longer expression belongs to it: "no longer apply" negates nothing. */
function withoutInner(hits: readonly Hit[]): Hit[] {
  return hits.filter(
    (hit) =>
      !LIMITING.has(hit.concept) ||
      !hits.some(
        (other) =>
          other.at <= hit.at &&
          other.end >= hit.end &&
          other.end - other.at > hit.end - hit.at &&
          other.concept !== hit.concept,
      ),
  );
}

type Sentence = { words: readonly Word[]; hits: readonly Hit[]; negations: readonly Hit[]; bit: number };

function judgeIn(bit: number, { words, hits: given }: TaggedSentence): Judgement[] {
  const hits = bit === ENGLISH_BIT ? given.filter((hit) => !isOfSomethingElse(hit, given, words)) : given;
  const { made, used } = pairsOf({ words, hits }, bit);
  const all = [...hits, ...made];
  const negations = hits.filter((hit) => hit.concept === "not" && !used.has(hit));
  const sentence = { words, hits: all, negations, bit };
  const isAddressed = all.some(({ concept }) => concept === "address");
  const present = new Set(all.map(({ concept }) => concept));
  if (isAddressed) present.delete("if");
  return [...present].flatMap((concept) =>
    (RULES_OF_HEAD.get(concept) ?? [])
      .filter(
        ({ unless, with: groups }) =>
          !unless.some((limit) => present.has(limit)) && groups.every((group) => group.some((one) => present.has(one))),
      )
      .filter((rule) => holds(rule, sentence))
      .map(({ kind, strong, head }) => ({ kind, strong, about: head })),
  );
}

/** An idea that a negation and a verb make together. */
type MadeHit = Hit & { made?: true; from?: Concept };

function pairsOf({ words, hits }: TaggedSentence, bit: number): { made: MadeHit[]; used: ReadonlySet<Hit> } {
  const made: MadeHit[] = [];
  const used = new Set<Hit>();
  if ((bit & NO_PAIRS) !== 0) return { made, used };
  for (const { first, second, makes } of PAIRS) {
    for (const verb of hits) {
      if (verb.concept !== second) continue;
      const isNoun = hits.some((hit) => hit.concept === "approval" && hit.at === verb.at);
      const negations = hits.filter(
        (hit) =>
          first.includes(hit.concept) &&
          isPair(hit, verb) &&
          !(isNoun && hit.concept === "not") &&
          (bit !== ENGLISH_BIT || isForbidding(hit, words)),
      );
      const negation = negations.toSorted((a, b) => b.at - a.at)[0];
      if (negation === undefined) continue;
      const isWithout = negations.some(({ concept, at }) => concept === "without" && at === negation.at);
      made.push({
        ...verb,
        concept: makes,
        at: Math.min(negation.at, verb.at),
        made: true,
        ...(isWithout && { from: "without" }),
      });
      const same = hits.filter(({ concept, at, end }) => concept === "not" && at < negation.end && end > negation.at);
      for (const hit of same) used.add(hit);
    }
  }
  return { made, used };
}

/** "Do not report" forbids, "does not report" states. */
const isForbidding = ({ concept, at }: Hit, words: readonly Word[]): boolean => concept !== "not" || isOrder(words, at);

function isPair(negation: Hit, verb: Hit): boolean {
  const gap = verb.at - negation.end;
  if (gap >= 0) return gap <= (negation.concept === "not" ? PAIR_GAP_WORDS_MAX : PAIR_GAP_WORDS_MAX + 1);
  return (
    (verb.languages & bitOf("de")) !== 0 && negation.at >= verb.end && negation.at - verb.end <= PAIR_BEHIND_WORDS_MAX
  );
}

function holds(rule: Rule, sentence: Sentence): boolean {
  const groups = rule.with.map((group) => sentence.hits.filter(({ concept }) => group.includes(concept)));
  if (groups.some((group) => group.length === 0)) return false;
  return sentence.hits.some(
    (head) =>
      head.concept === rule.head &&
      !isNegated(head, sentence) &&
      (!rule.order || sentence.bit !== ENGLISH_BIT || isOrder(sentence.words, head.at)) &&
      !isRelative(head, sentence) &&
      !isForOthers(head, sentence) &&
      !(rule.anyNot && sentence.hits.some(({ concept }) => concept === "not")) &&
      groups.every((group, at) =>
        group.some((hit) => isNear(head, hit, rule.span) && (at > 0 || !rule.object || isObject(head, hit, sentence))),
      ),
  );
}

function isNear(head: MadeHit, hit: Hit, span: number): boolean {
  if (hit.at < head.end && hit.end > head.at)
    return hit.end > head.end || (head.made !== true && hit.end - hit.at < head.end - head.at);
  return hit.at >= head.end ? hit.at - head.end <= span : head.at - hit.end <= span;
}

function isObject(head: Hit, hit: Hit, { words, bit }: Sentence): boolean {
  if (bit !== ENGLISH_BIT) return true;
  return hit.at >= head.end && !words.some((word) => word.startsClause && word.at >= head.end && word.at <= hit.at);
}

function isNegated(head: MadeHit, { negations }: Sentence): boolean {
  return negations.some((negation) => {
    if (negation.at >= head.at && negation.end <= head.end) return false;
    if (negation.at < head.at) return head.from === "without" || head.at - negation.end <= NEGATED_BEFORE_WORDS;
    return (
      (head.languages & VERB_LAST) !== 0 && negation.end > head.end && negation.at - head.end <= NEGATED_BEHIND_WORDS
    );
  });
}

/** Approving is what maintainers, owners and reviewers are asked for in every project. */
const isForOthers = (head: Hit, { words, bit }: Sentence): boolean =>
  bit === ENGLISH_BIT &&
  (head.concept === "approve" || head.concept === "autoApprove") &&
  isAskedOfOthers(words, head.at);

/** "the old naming rules", "everything above 90 dB": of something that is named, not of whoever reads. */
function isOfSomethingElse(hit: Hit, hits: readonly Hit[], words: readonly Word[]): boolean {
  const { before, last, next } = wordsAround(hit, words);
  switch (hit.concept) {
    case "told":
      return last === "above" && MEASURE.test(next);
    case "isApproved":
    case "hasApproved":
    case "approved":
      return last === "signed" && PARTICLES.has(next);
    case "earlier":
      return (last === "above" && MEASURE.test(next)) || (AGES.has(last) && next !== "" && !isOfOrders(hit, hits));
    case "rule":
      return isNamedRule(hit, hits, before);
    default:
      return false;
  }
}

type Around = { before: Word | undefined; last: string; next: string };

/** The word before an idea, its last one and the one behind it, as far as they stand in the same clause. */
function wordsAround(hit: Hit, words: readonly Word[]): Around {
  const index = words.findIndex((word) => word.at === hit.at);
  const follows = words.find((word) => word.at === hit.end);
  return {
    before: words[index]?.startsClause === true ? undefined : words[index - 1],
    last: words.find((word) => word.at === hit.end - 1)?.text.toLowerCase() ?? "",
    next: follows === undefined || follows.startsClause ? "" : follows.text.toLowerCase(),
  };
}

/** "previous instructions", "the old set of rules", and not "the old wiki". */
const isOfOrders = (hit: Hit, hits: readonly Hit[]): boolean =>
  hits.some(({ concept, at }) => ORDERS.has(concept) && at >= hit.end && at <= hit.end + AGE_REACH_WORDS);

function isNamedRule(hit: Hit, hits: readonly Hit[], before: Word | undefined): boolean {
  if (before === undefined || SMALL_WORDS.has(before.text.toLowerCase())) return false;
  const isTagged = hits.some(({ at, end }) => at <= before.at && end > before.at);
  const isYours = hits.some(({ concept, at }) => concept === "your" && at < hit.at && at >= hit.at - 2);
  return !isTagged && !isYours;
}

const AGE_REACH_WORDS = 3;
const MEASURE = /^\d/;
const PARTICLES: ReadonlySet<string> = new Set(["in", "up", "out", "on"]);
const AGES: ReadonlySet<string> = new Set(["old", "former", "existing", "original", "initial", "past"]);
const ORDERS: ReadonlySet<Concept> = new Set<Concept>(["instruction", "rule", "setting", "system", "told"]);
const SMALL_WORDS: ReadonlySet<string> = new Set(
  "the a an these those this that other such of and or any my our their his her its usual normal standard default strict internal further more".split(
    " ",
  ),
);

const RELATIVE: ReadonlySet<string> = new Set([
  "that",
  "which",
  "who",
  "whose",
  "once",
  "whether",
  "until",
  "if",
  "when",
  "plans",
]);

/** "plans that are already approved" speaks of some plans; "note that the plan is" does not end in the pronoun. */
function isRelative(head: Hit, { words, bit }: Sentence): boolean {
  if (bit !== ENGLISH_BIT || !(head.concept === "isApproved" || head.concept === "hasApproved")) return false;
  const before = words.find((word) => word.at === head.at - 1);
  return before !== undefined && RELATIVE.has(before.text.toLowerCase());
}
