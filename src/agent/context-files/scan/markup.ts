/** What a line gives away by its signs alone: markers of chats and tools, hidden characters, commands from strangers. */
import { defuse, revealHidden } from "../../../plugins/sdk.ts";
import type { FindingKind } from "./finding-kind.ts";
import { addressKind } from "./quotations.ts";

type PatternRule = { kind: FindingKind; pattern: RegExp };

/** Looked for in text, not in code. */
const IN_TEXT: readonly PatternRule[] = [
  {
    kind: "special-token",
    pattern: /<\|[\w ]{2,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?\s*system[-_ ]?reminder|<\/?(?:system|assistant|human)>/i,
  },
  { kind: "special-token", pattern: /^\s*(?:human|assistant)\s*:(?!\s*$)/i },
  { kind: "special-token", pattern: /^\s*(?:#+\s*)?system\s*:\s*(?:you|ignore|new|override|the user)\b/i },
  {
    kind: "forged-voice",
    pattern:
      /^[\s>#*=_[(-]*(?:system|operator|admin(?:istrator)?|developer|root|gateway|anthropic|openai)[\s_-]+(?:override|message|prompt|command|directive|instructions?|notice|alert|announcement)\b[\])*=_\s]*[:—–-][\s\S]*\b(?:you|your|agents?|assistants?|must|ignore|approved|authori[sz]ed|comply|disregard|proceed|now)\b/i,
  },
  {
    kind: "forged-voice",
    pattern:
      /^[\s>#*=_[(-]*(?:end|begin|start) of (?:the )?(?:user|system|trusted|untrusted|document|file|context|prompt|instructions?)\b[^\n]{0,40}(?:[-=#*]{3}|instructions?|prompt|message)/i,
  },
  { kind: "tool-call", pattern: /<\/?(?:antml:)?(?:function_calls|tool_calls?|tool_use|invoke|tool_result)\b/i },
  {
    kind: "tool-call",
    pattern:
      /"(?:tool_calls|function_call)"\s*:|\{\s*"(?:name|tool)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|args|input|parameters)"\s*:/i,
  },
  {
    kind: "exfiltration",
    pattern: /!\[[^\]\n]{0,200}\]\(\s*https?:\/\/[^)\s]{0,500}[?&#=][^)\s]{0,500}(?:\{|\$|%7b|<|\[)/i,
  },
  {
    kind: "exfiltration",
    pattern:
      /\b(?:curl|wget|nc|Invoke-WebRequest)\b[^\n]{0,300}(?:\$\(|`|@|<\s*)[^\n]{0,200}(?:\.env|id_rsa|\.ssh|credentials|\/etc\/passwd|history)/i,
  },
  {
    kind: "exfiltration", // a secret in the address itself, whatever opens it
    pattern:
      /https?:\/\/[^\s"'`<>]{0,300}\$\([^)\n]{0,120}(?:\.env\b|id_rsa|\.ssh\b|\.aws\b|credentials|\.netrc|printenv|\/etc\/passwd|operator\.token)/i,
  },
  {
    kind: "remote-code",
    pattern: /\b(?:base64\s+(?:-d|-D|--decode)|atob\s*\()[^\n]{0,300}(?:\|\s*(?:ba|z|da)?sh\b|eval|exec)/i,
  },
];

const PIPED =
  /\b(?:curl|wget|iwr|irm)\b[^\n|]{0,400}\|\s*(?:sudo\s+)?(?:-E\s+)?(?:(?:ba|z|da)?sh|python3?|node|iex|perl|ruby)\b/i;
const ADDRESS = /https?:\/\/[^\s<>"'`)|]+/i;
const LEAKS =
  /\b(?:curl|wget|nc|Invoke-WebRequest)\b[^\n]{0,300}(?:\$\((?:cat|printenv|env)|@~?\/?[\w./-]*(?:\.env|id_rsa|\.ssh|\.aws)|printenv\s*\|)/i;
const MARKS = /[<[{!&:|%\\`$［【〔〚⟦｢＜&]|https?|curl|wget/;
const CODE_SPAN = /(?<!`)(`{1,8})(?!`)([^`\n]{1,2000}?)\1(?!`)/g;

export type MarkedLine = { line: string; fenced: boolean; quoted: boolean };

/** The kinds of finding that one line gives by itself. */
export function lineKinds({ line, fenced, quoted }: MarkedLine): FindingKind[] {
  const kinds = new Set<FindingKind>();
  if (hidesText(line)) kinds.add("hidden-text");
  if (fenced || quoted || !MARKS.test(line)) return [...kinds];
  const spans = [...line.matchAll(CODE_SPAN)].map((found) => found[2] ?? "");
  const bare = spans.length === 0 ? line : line.replace(CODE_SPAN, (span) => " ".repeat(span.length));
  if (marksEnvelope(bare)) kinds.add("envelope");
  for (const { kind, pattern } of IN_TEXT) if (pattern.test(bare)) kinds.add(kind);
  if (isStrangersCode(bare, "plain") || spans.some((span) => isStrangersCode(span, "strange")))
    kinds.add("remote-code");
  if (spans.some((span) => LEAKS.test(span))) kinds.add("exfiltration");
  return [...kinds];
}

/** In code an installer is what it says; a host that hides who it is never is. */
function isStrangersCode(text: string, from: "plain" | "strange"): boolean {
  const piped = PIPED.exec(text)?.[0];
  const address = piped === undefined ? undefined : ADDRESS.exec(piped)?.[0];
  if (address === undefined) return false;
  const kind = addressKind(address);
  return from === "plain" ? kind !== "known" : kind === "strange";
}

const LINK = /!?\[[^\]\n]{0,200}\](?:\([^)\n]{0,400}\)|\[[^\]\n]{0,200}\]|:\s*\S*[./#])/g;
/** A marker begins its line or is followed by what it announces; inside a sentence it is only named. */
const OPENS_LINE = /^[\s*_>#=-]*(?:\\?[\p{Ps}⎡⎢⎣]|[&%\\])/u;
const ANNOUNCES = /[\p{Pe}⎤⎥⎦;]\s*[:：]|[\p{Ps}]\s*\//u;
const MARKER_LINE_CHARS_MAX = 400;

/** What defusing changes beyond hidden characters and special tokens is a bracket of a marker. */
function marksEnvelope(whole: string): boolean {
  const line = whole.slice(0, MARKER_LINE_CHARS_MAX).replace(LINK, " ");
  if (!OPENS_LINE.test(line) && !ANNOUNCES.test(line)) return false;
  return withoutTokens(defuse(line)) !== withoutTokens(revealHidden(line));
}

const withoutTokens = (text: string): string =>
  text
    .replace(/< ?\|/g, "<|")
    .replace(/\| ?>/g, "|>")
    .replace(/< ?(?=\/?\s*system)/gi, "<");

/** Left over from copying, and harmless: a mark of the byte order, a soft hyphen, joiners of scripts that need them. */
const LEFT_OVER =
  /[\uFEFF\u00AD\u200E\u200F]|(?<=\p{Extended_Pictographic}|\uFE0F)\u200D|(?<=[\u0600-\u0DFF\u1000-\u109F])[\u200C\u200D]/gu;

function hidesText(line: string): boolean {
  const seen = line.replace(LEFT_OVER, "");
  return revealHidden(seen) !== seen.replaceAll("\r\n", "\n");
}
