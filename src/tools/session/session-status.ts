/** The tool session_status: the conversation as it is stored now. */
import { z } from "zod";
import type { Clock, Sessions } from "../../plugins/sessions.ts";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { PermissionMode } from "../../plan-mode/protocol/settings.ts";
import type { Session } from "../../protocol/session.ts";
import { defineTool } from "../define-tool.ts";

const Args = z.strictObject({});

export const createSessionStatusTool = (parts: { sessions: Pick<Sessions, "session">; clock: Clock }): Tool =>
  defineTool<z.infer<typeof Args>>({
    name: "session_status",
    effect: "read",
    kind: "read_only",
    description:
      "This conversation as it is stored now: its name, agent, surface and workspace, what waits in it, and the time. For the plan, use plan_mode_status.",
    input: Args,
    async run(_args, { sessionId }): Promise<ToolOutput> {
      const session = await parts.sessions.session(sessionId);
      if (session === undefined) return { status: "error", content: "The session is gone." };
      return { status: "ok", content: { ...told(session), now: rfc3339(parts.clock.now()) } };
    },
  });

/** Of the plugins' state only what concerns every call; the plugins show the rest themselves. */
const told = (session: Session): JsonObject => ({
  session: session.id,
  title: session.title,
  agent: session.agentId,
  kind: session.kind,
  surface: session.surface,
  workspace: session.workspace,
  parent: session.parentId ?? null,
  createdAt: rfc3339(session.createdAtMs),
  turns: session.turnCount,
  permissionMode: permissionOf(session),
  messagesWaiting: session.inbox.length,
  notesWaiting: session.injections.length,
});

const Permission = z.object({ permission: PermissionMode.default("default") });

function permissionOf({ slices }: Session): PermissionMode | "unknown" {
  const stored = Permission.safeParse(slices["planMode"] ?? {});
  return stored.success ? stored.data.permission : "unknown";
}

const rfc3339 = (atMs: number): string => new Date(atMs).toISOString();
