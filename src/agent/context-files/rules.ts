/**
 * What prompt injections look like, as data. Words are compared folded (case, look-alikes, invisible characters and
 * punctuation between letters do not help), in order, with at most `gap` other words between two of them.
 */
export type FindingKind =
  | "override"
  | "concealment"
  | "forged-approval"
  | "envelope"
  | "hidden-text"
  | "special-token"
  | "exfiltration"
  | "tool-call"
  | "remote-code";

export type WordRule = { kind: FindingKind; words: readonly (readonly string[])[]; gap: number };
export type PatternRule = { kind: FindingKind; pattern: RegExp };

/** Any one of these words. */
const any = (words: string): readonly string[] => words.split(" ");

const IGNORE = any("ignore disregard forget override bypass discard ignoriere ignorez ignora");
const EARLIER = any(
  "previous prior above earlier preceding existing original system all any your vorherigen précédentes anteriores",
);
const RULES = any(
  "instruction instructions rule rules prompt prompts directive directives guidelines safeguards restrictions policies anweisungen instrucciones",
);
const TELL = any("tell telling inform informing mention mentioning reveal notify alert warn");
const PEOPLE = any("user users person human operator reviewer anyone owner");
const SECRETS = any(
  "secret secrets token tokens credential credentials password passwords apikey keys env environment ssh cookies conversation transcript history",
);
const SEND = any("send post upload exfiltrate forward leak transmit submit email append");
const APPROVED = any("approved authorized authorised consented");

export const WORD_RULES: readonly WordRule[] = [
  { kind: "override", words: [IGNORE, EARLIER, RULES], gap: 3 },
  { kind: "override", words: [IGNORE, any("everything"), any("above before previous said")], gap: 3 },
  { kind: "override", words: [any("you"), any("are"), any("now"), any("unrestricted jailbroken dan root")], gap: 3 },
  {
    kind: "override",
    words: [any("new updated real actual"), any("system"), any("instructions prompt message")],
    gap: 0,
  },
  { kind: "override", words: [any("developer god debug admin"), any("mode"), any("enabled activated on")], gap: 1 },
  {
    kind: "override",
    words: [any("disable deactivate circumvent evade"), any("gate safety guardrails approval")],
    gap: 3,
  },
  { kind: "concealment", words: [any("not never dont without"), TELL, PEOPLE], gap: 3 },
  { kind: "concealment", words: [any("hide conceal keep"), any("this it these"), any("from secret"), PEOPLE], gap: 2 },
  { kind: "forged-approval", words: [any("plan request change changes action"), any("already pre"), APPROVED], gap: 2 },
  {
    kind: "forged-approval",
    words: [any("user operator person human"), any("always already has"), [...APPROVED, "approves"]],
    gap: 1,
  },
  {
    kind: "forged-approval",
    words: [any("pretend assume act behave"), [...APPROVED, "approval", "permission"]],
    gap: 6,
  },
  { kind: "exfiltration", words: [SEND, SECRETS, any("http https webhook ngrok pastebin requestbin url")], gap: 8 },
  {
    kind: "exfiltration",
    words: [SEND, SECRETS, any("attacker external remote third"), any("server site party host")],
    gap: 6,
  },
];

export const PATTERN_RULES: readonly PatternRule[] = [
  {
    kind: "special-token",
    pattern: /<\|[^|\n]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?s>(?=\s|$)|<\/?\s*system[-_ ]?reminder/i,
  },
  { kind: "special-token", pattern: /^\s*(?:human|assistant)\s*:/i },
  { kind: "special-token", pattern: /^\s*(?:#+\s*)?system\s*:\s*(?:you|ignore|new|override|the user)\b/i },
  { kind: "tool-call", pattern: /<\/?(?:antml:)?(?:function_calls|tool_calls?|tool_use|invoke|tool_result)\b/i },
  {
    kind: "tool-call",
    pattern:
      /"(?:tool_calls|function_call)"\s*:|\{\s*"(?:name|tool)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|args|input|parameters)"\s*:/i,
  },
  { kind: "exfiltration", pattern: /!\[[^\]\n]{0,200}\]\(\s*https?:\/\/[^)\s]*[?&#=][^)\s]*(?:\{|\$|%7b|<|\[)/i },
  {
    kind: "exfiltration",
    pattern:
      /\b(?:curl|wget|nc|Invoke-WebRequest)\b[^\n]*(?:\$\(|`|@|<\s*)[^\n]*(?:\.env|id_rsa|\.ssh|credentials|\/etc\/passwd|history)/i,
  },
  { kind: "remote-code", pattern: /\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/i },
  { kind: "remote-code", pattern: /\b(?:base64\s+(?:-d|--decode)|atob\s*\()[^\n]*(?:\|\s*(?:ba)?sh\b|eval|exec)/i },
];
