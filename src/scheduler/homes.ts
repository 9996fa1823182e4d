/** The hidden sessions in which jobs live that belong to no conversation. They are made with the first such job. */
import { createHash } from "node:crypto";
import { SessionId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import { INSIDE } from "./machine/actors.ts";
import type { SchedulerPorts } from "./ports.ts";

/** Its hidden session also knows in which other sessions there are jobs. */
export const INDEX_AGENT = "main";

export const homeOf = (agentId: string): SessionId =>
  SessionId.parse(`ses_schedule-${createHash("sha256").update(agentId).digest("base64url").slice(0, 22)}`);

/** Archived from the start: a list of conversations does not show it. */
export async function ensureHome(
  agentId: string,
  { sessions, workspaceFor }: Pick<SchedulerPorts, "sessions" | "workspaceFor">,
): Promise<SessionId | { refused: Refusal }> {
  const sessionId = homeOf(agentId);
  const known = await sessions.session(sessionId);
  if (known?.archived === true) return sessionId;
  const created = await sessions.dispatch(
    sessionId,
    {
      type: "session.create",
      sessionId,
      agentId,
      kind: "cron",
      surface: "schedule",
      workspace: workspaceFor(agentId),
      title: `Scheduled jobs of ${agentId}`,
    },
    { actor: INSIDE },
  );
  if (!created.ok && created.refusal.code !== "SESSION_EXISTS") return { refused: created.refusal };
  const hidden = await sessions.dispatch(sessionId, { type: "session.archive", archived: true }, { actor: INSIDE });
  return hidden.ok ? sessionId : { refused: hidden.refusal };
}
