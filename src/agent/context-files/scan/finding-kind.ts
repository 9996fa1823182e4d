/** What the scan can find, by name: the names stand in the prompt, in the log and in what people are shown. */
export type FindingKind =
  | "override"
  | "identity"
  | "concealment"
  | "forged-approval"
  | "forged-voice"
  | "envelope"
  | "hidden-text"
  | "hidden-comment"
  | "encoded"
  | "special-token"
  | "exfiltration"
  | "tool-call"
  | "remote-code";
