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
  /\bhp_[A-Za-z0-9_-]{20,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
/** `password=…`, `"api_key": "…"`, `Authorization: Bearer …`: the name stays. */
const NAMED =
  /(\b(?:password|passwd|passphrase|secret|token|api[-_ ]?key|access[-_ ]?key|authorization)\b["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)[^\s"',;]{4,}/gi;
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gi;

export function redactSecrets(text: string): string {
  const named = text.replace(NAMED, `$1${CENSOR}`).replace(IN_ADDRESS, `$1${CENSOR}`);
  return SECRETS.reduce((rest, secret) => rest.replace(secret, CENSOR), named);
}
