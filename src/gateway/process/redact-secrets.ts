/** Leaves out of a text for the log what looks like a secret: keys of known vendors, tokens, and values named as such. */
import { CENSOR, redactKeys } from "../../tools/redaction/redaction.ts";

const SECRETS: readonly RegExp[] = [
  /\beyJ[\w-]{10,4000}\.[\w-]{10,4000}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
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
const OPTION = new RegExp(String.raw`(--?(?:[a-z]{1,40}[-_]){0,4}${NAMES}\s+["']?)[^\s"',;&-][^\s"',;&]{3,}`, "gi");
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,40}:\/\/[^\s/:@]{1,400}:)[^\s/@]{1,400}(?=@)/gi;

export function redactSecrets(text: string): string {
  const named = [NAMED_QUOTED, NAMED, OPTION, IN_ADDRESS].reduce(
    (rest, secret) => rest.replace(secret, `$1${CENSOR}`),
    text,
  );
  return SECRETS.reduce((rest, secret) => rest.replace(secret, CENSOR), redactKeys(named));
}
