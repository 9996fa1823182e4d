/**
 * A refusal of a plugin from outside: with a code of the gateway's or one under its own id, and in its own texts. The
 * house's texts, and the codes of bundled plugins, which pages word in the house's texts, are not its to use.
 */
import { REFUSAL_CODES, type Refusal, type Refused } from "../../protocol/refusal.ts";
import { type Speaker, withOwnLines } from "./own-lines.ts";

const OF_GATEWAY: ReadonlySet<string> = new Set(REFUSAL_CODES);

export const ownCode = (code: string, pluginId: string): string =>
  OF_GATEWAY.has(code) || code.startsWith(`${pluginId}.`) ? code : `${pluginId}.${code}`;

export function ownRefusal(refusal: Refusal, speaker: Speaker): Refusal {
  const { code, message, said, retry, details } = refusal;
  const lines = said === undefined ? {} : withOwnLines({ said }, speaker);
  return {
    code: ownCode(code, speaker.pluginId),
    message,
    ...lines,
    ...(retry === undefined ? {} : { retry }),
    ...(details === undefined ? {} : { details }),
  };
}

/** Whatever may be a refusal; everything else is left as it is. */
export const ownAnswer = <Answer extends object>(answer: Answer | Refused, speaker: Speaker): Answer | Refused =>
  "refused" in answer ? { refused: ownRefusal(answer.refused, speaker) } : answer;
