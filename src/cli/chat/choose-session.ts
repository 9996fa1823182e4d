/** Which session a chat is about: a named one, a new one, or the one that was last talked in from this folder. */
import { SessionId } from "../../protocol/ids.ts";
import { CliError } from "../cli-error.ts";
import type { Link } from "./link.ts";

const LOOKED_AT_MAX = 25;

export type Wanted = { session?: string | undefined; isNew: boolean; workspace: string };
export type Chosen = { sessionId: SessionId; resumed: boolean; workspace: string };

export async function chooseSession(link: Link, { session, isNew, workspace }: Wanted): Promise<Chosen> {
  if (session !== undefined) {
    const found = await link.call("sessions.get", { sessionId: sessionIdOf(session) });
    return { sessionId: found.session.id, resumed: true, workspace: found.session.workspace };
  }
  const last = isNew ? undefined : await lastSession(link, workspace);
  if (last !== undefined) return { sessionId: last, resumed: true, workspace };
  const created = await link.call("sessions.create", { workspace });
  return { sessionId: created.session.id, resumed: false, workspace: created.session.workspace };
}

async function lastSession(link: Link, workspace: string): Promise<SessionId | undefined> {
  const { sessions } = await link.call("sessions.list", { limit: LOOKED_AT_MAX });
  for (const { id, kind } of sessions) {
    if (kind !== "chat") continue;
    const { session } = await link.call("sessions.get", { sessionId: id });
    if (session.workspace === workspace) return id;
  }
  return undefined;
}

export function sessionIdOf(text: string): SessionId {
  const id = SessionId.safeParse(text);
  if (id.success) return id.data;
  const advice = "Ids begin with ses_; see them with: holdpoint sessions list";
  throw new CliError({ exit: "usage", message: `"${text}" is no session's id.`, advice, code: "USAGE" });
}
