/** The session of a run, by the names that its agent gives: the same names lead to the same session. */
import { hash } from "node:crypto";
import type { ExternalPlace } from "../protocol/external/decisions.ts";
import { SessionId } from "../protocol/ids.ts";

export const runIdOf = ({ agent, session }: Pick<ExternalPlace, "agent" | "session">): SessionId =>
  SessionId.parse(`ses_x${hash("sha256", `${agent}\0${session}`, "base64url").slice(0, 32)}`);
