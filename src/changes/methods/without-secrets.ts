/** What people are shown of changes, without keys: by their value, by their shape, and private keys line by line. */
import type { FileDiff, StepChanges } from "../protocol/changes.ts";

export type Redact = (text: string) => string;

const CENSOR = "[redacted]";
const KEY_BEGINS = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;

export function diffWithoutSecrets(diff: FileDiff, redact: Redact): FileDiff {
  let isInKey = false;
  const lines = diff.lines.map((line) => {
    if (line.sign === "@") isInKey = false; // what stands between is not shown, so where a key ends is not known
    const begins = KEY_BEGINS.test(line.text);
    const hides = isInKey && !KEY_ENDS.test(line.text);
    if (begins) isInKey = true;
    if (KEY_ENDS.test(line.text)) isInKey = false;
    return { ...line, text: hides && !begins ? CENSOR : redact(line.text) };
  });
  return { ...diff, lines };
}

export const callsWithoutSecrets = (calls: StepChanges["calls"], redact: Redact): StepChanges["calls"] =>
  calls.map((call) => (call.command === undefined ? call : { ...call, command: redact(call.command) }));
