/** Takes out of a text what it quotes: code, quotations, addresses. Every character keeps its place. */
const QUOTATION =
  /(?<!`)(`{1,8})(?!`)([^`]{1,2000}?)\1(?!`)|https?:\/\/[^\s<>"'`)\]。、，）」]+|"([^"\n]{1,600})"|“([^”]{1,600})”|„([^“”]{1,600})[“”]|«([^»]{1,600})»|「([^」]{1,600})」|『([^』]{1,600})』|《([^》]{1,600})》|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,300})['’](?![\p{L}\p{N}])/gu;

/** Hosts that people install from; a pipe into a shell is how they say so themselves. */
const KNOWN_HOST =
  /^https?:\/\/(?:[\w.-]+\.)?(?:github\.com|githubusercontent\.com|astral\.sh|rustup\.rs|sh\.rustup\.rs|bun\.sh|bun\.com|deno\.land|deno\.com|get\.docker\.com|docker\.com|brew\.sh|nixos\.org|pnpm\.io|nodejs\.org|nodesource\.com|npmjs\.com|npmjs\.org|python\.org|python-poetry\.org|pypa\.io|golang\.org|go\.dev|ollama\.com|ollama\.ai|fly\.io|starship\.rs|volta\.sh|sdkman\.io|tailscale\.com|helm\.sh|k3s\.io|claude\.ai|cursor\.com|opencode\.ai|microsoft\.com|google\.com|gitlab\.com|debian\.org|ubuntu\.com|apache\.org|gnu\.org|kernel\.org|wikipedia\.org|mozilla\.org|localhost|127\.0\.0\.1)(?:[:/]|$)/i;
const STRANGE_HOST =
  /^https?:\/\/(?:\d{1,3}(?:\.\d{1,3}){3}(?!\d)|[^/]*(?:evil|attack|malicious|exfil|steal|hack|pwn|c2|drop|collect|payload|ngrok|requestbin|webhook\.site|pastebin|paste\.|burpcollaborator|interact\.sh|oast|pipedream|hookbin|transfer\.sh|0x0\.st|termbin|bit\.ly|tinyurl|t\.co\/|\.onion|\.tk\b|\.zip\b|\.top\b|\.xyz\b))/i;
const LOCAL = /^https?:\/\/(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)/i;

/** One word in quotation marks is a word that is stressed, no quotation. */
const ONE_WORD = /^[\p{L}\p{M}]+$/u;
const QUOTES_SOMETHING = /["'`“”„«»「」『』《》‘’]|https?:/;

export type AddressKind = "known" | "strange" | "plain";

export function addressKind(address: string): AddressKind {
  if (KNOWN_HOST.test(address) || LOCAL.test(address)) return "known";
  return STRANGE_HOST.test(address) ? "strange" : "plain";
}

/** Names that are kept for examples (RFC 2606) and addresses for mail: "example" in them says nothing about the sentence. */
const NAME_FOR_EXAMPLES =
  /(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:example|test|invalid)\b(?!\.\w)|(?<![\w@/-])(?:[a-z0-9-]+\.)*example\.(?:com|net|org)\b/gi;
const MAIL_ADDRESS = /[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,12}\b/gi;

const maskNames = (text: string): string =>
  text
    .replace(MAIL_ADDRESS, (whole) => padded("mailxx", whole))
    .replace(NAME_FOR_EXAMPLES, (whole) => padded("urlxx", whole));

export function maskQuotations(text: string): string {
  return maskNames(maskQuoted(text));
}

function maskQuoted(text: string): string {
  if (!QUOTES_SOMETHING.test(text)) return text;
  return text.replace(QUOTATION, (whole: string, ...groups: unknown[]) => {
    if (whole.startsWith("http")) return padded(addressKind(whole) === "strange" ? "badurl" : "urlxx", whole);
    const inner = groups.slice(1, 10).find((group) => typeof group === "string") ?? "";
    if (ONE_WORD.test(inner)) return ` ${inner}`.padEnd(whole.length);
    return padded(addressIn(inner), whole);
  });
}

/** A quotation that holds an address still says where to. */
function addressIn(inner: string): string {
  const address = /https?:\/\/\S+/.exec(inner)?.[0];
  if (address === undefined)
    return /\.env\b|id_rsa|\.ssh|\.aws|\.netrc|\.npmrc|_TOKEN|_KEY|_SECRET|kubeconfig/.test(inner) ? "env" : "";
  return addressKind(address) === "strange" ? "badurl" : "urlxx";
}

const padded = (word: string, whole: string): string => {
  const blank = whole.replace(/[^\n]/g, " ");
  return word.length < whole.length ? ` ${word}${blank.slice(word.length + 1)}`.slice(0, whole.length) : blank;
};
