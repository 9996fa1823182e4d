/** Instructions that only some models need. A pattern matches the model's id; * stands for anything. */
export type Overlay = { match: string; text: string };

const BUILT_IN: readonly Overlay[] = [
  {
    match: "*gpt*",
    text: "Make the tool call instead of describing it. Do not end a turn with an offer to go on: go on, or say that you are done.",
  },
  {
    match: "*gemini*",
    text: "Call tools only through function calls, never as code in your text. Give paths relative to the workspace.",
  },
  {
    match: "*{llama,qwen,mistral,deepseek,phi,gemma}*",
    text: "Call one tool at a time and wait for its result. Never write a tool call, or a tool's result, as text.",
  },
];

const OVERLAYS_MAX = 20;

/** Those that match, the built-in ones first; the configuration's come last, so that they override. */
export function overlaysFor(modelId: string, configured: readonly Overlay[]): string[] {
  return [...BUILT_IN, ...configured.slice(0, OVERLAYS_MAX)]
    .filter((overlay) => patternOf(overlay).test(modelId))
    .map(({ text }) => text.trim())
    .filter((text) => text !== "");
}

/** Every request asks again, so a pattern is made once for as long as its configuration lasts. */
const PATTERNS = new WeakMap<Overlay, RegExp>();

function patternOf(overlay: Overlay): RegExp {
  const known = PATTERNS.get(overlay);
  if (known !== undefined) return known;
  const made = globOf(overlay.match);
  PATTERNS.set(overlay, made);
  return made;
}

/** Glob as people write it: * and {a,b}; everything else is meant literally. */
function globOf(match: string): RegExp {
  const source = match
    .replace(/[\\^$.+?()|[\]]/g, "\\$&")
    .replaceAll("*", ".*")
    .replace(/\{([^{}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(",", "|")})`)
    .replace(/[{}]/g, "\\$&");
  return new RegExp(`^${source}$`, "i");
}
