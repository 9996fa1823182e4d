/**
 * Recognises an answer that only says what will be done next. Careful rather than clever: an answer that asks, waits,
 * reports or concludes is left alone, because pressing an agent that is done makes it invent work.
 */
const ANSWER_CHARS_MAX = 1_500;

const INTENT =
  /^(?:(?:ok(?:ay)?|sure|great|right|alright|understood|got it|perfect|good|now|next|first|then|so)[,.!:—-]*\s+)*(?:i['’]ll|i will|i['’]m going to|i am going to|i['’]m about to|let me|let['’]s|time to)\s+(?:now\s+|next\s+|first\s+|then\s+|start\s+by\s+|begin\s+by\s+|go ahead and\s+|proceed to\s+|quickly\s+)*(?<verb>[a-z]+)/i;

/** Doing words that a tool call would have to follow; `let me know` and `I will wait` are none. */
const DOING = new Set(
  (
    "add apply build change check clean commit continue convert copy create delete do edit examine execute explore extract " +
    "find fix format generate grep implement inspect install investigate list look make merge modify move open patch proceed " +
    "read refactor remove rename replace rerun restore review rewrite run scan search set start test " +
    "update upgrade use verify write"
  ).split(" "),
);

const WAITING =
  /\b(?:once you|when you|after you|if you|let me know|shall i|should i|would you|do you want|waiting for|your (?:approval|decision|answer|confirmation))\b/i;

export function announces(text: string): boolean {
  const plain = text.trim();
  if (plain === "" || plain.length > ANSWER_CHARS_MAX || plain.includes("?") || WAITING.test(plain)) return false;
  const sentences = plain.split(/(?<=[.!:…])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  const last = sentences.at(-1)?.trim() ?? "";
  const verb = INTENT.exec(last.replace(/^[-*#>\d.)\s]+/, ""))?.groups?.["verb"]?.toLowerCase();
  return verb !== undefined && baseForms(verb).some((form) => DOING.has(form));
}

/** creating → create, running → run */
function baseForms(verb: string): string[] {
  const stem = verb.endsWith("ing") ? verb.slice(0, -3) : verb;
  return [verb, stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
}
