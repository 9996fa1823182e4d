/** What the scan can find, by name: the names stand in the prompt and in the log; people read them in plain words. */
import { localized, type LocalizedText } from "../../../protocol/localized/localized-text.ts";

export const FINDING_KINDS = [
  "override",
  "identity",
  "concealment",
  "forged-approval",
  "forged-voice",
  "envelope",
  "hidden-text",
  "hidden-comment",
  "encoded",
  "special-token",
  "exfiltration",
  "tool-call",
  "remote-code",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

const IN_PLAIN_WORDS: Readonly<Record<FindingKind, LocalizedText>> = {
  override: localized("finding_override"),
  identity: localized("finding_identity"),
  concealment: localized("finding_concealment"),
  "forged-approval": localized("finding_forged_approval"),
  "forged-voice": localized("finding_forged_voice"),
  envelope: localized("finding_envelope"),
  "hidden-text": localized("finding_hidden_text"),
  "hidden-comment": localized("finding_hidden_comment"),
  encoded: localized("finding_encoded"),
  "special-token": localized("finding_special_token"),
  exfiltration: localized("finding_exfiltration"),
  "tool-call": localized("finding_tool_call"),
  "remote-code": localized("finding_remote_code"),
};

export const findingInWords = (kind: FindingKind): LocalizedText => IN_PLAIN_WORDS[kind];
