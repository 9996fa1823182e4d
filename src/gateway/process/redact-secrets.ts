/** Leaves out of a text for the log what looks like a secret: keys of known vendors, tokens, and values named as such. */
const CENSOR = "[redacted]";

const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{16,}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\bgithub_pat_\w{20,}\b/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /\bglpat-[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bhf_[A-Za-z0-9]{20,}\b/g,
  /\bhp_[A-Za-z0-9_-]{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** `password=…`, `"api_key": "…"`, `DB_PASSWORD=…`, `Authorization: Bearer …`: the name stays. */
const NAMES = String.raw`(?:password|passwd|passphrase|secret|token|api[-_ ]?key|access[-_ ]?key|authorization)`;
const SCHEME = String.raw`(?:(?:bearer|basic|token)\s+)?`;
const NAMED_QUOTED = new RegExp(
  String.raw`((?:\b|_)${NAMES}\b["']?\s*[:=]\s*(["'])${SCHEME})(?!\2)[^\n]{4,400}?(?=\2)`,
  "gi",
);
const NAMED = new RegExp(
  String.raw`((?:\b|_)${NAMES}\b["']?\s*[:=]\s*["']?${SCHEME})(?!\[redacted\])[^\s"',;&]{4,}`,
  "gi",
);
/** `--password …`: only words with a dash before them, since a plan may well speak of a password. */
const OPTION = new RegExp(String.raw`(--?(?:[a-z]+[-_])*${NAMES}\s+["']?)[^\s"',;&-][^\s"',;&]{3,}`, "gi");
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gi;

export function redactSecrets(text: string): string {
  const named = [NAMED_QUOTED, NAMED, OPTION, IN_ADDRESS].reduce(
    (rest, secret) => rest.replace(secret, `$1${CENSOR}`),
    text,
  );
  return SECRETS.reduce((rest, secret) => rest.replace(secret, CENSOR), named);
}
