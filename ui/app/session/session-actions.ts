/** What a person can do with a session as a whole, from wherever they are. */
import type { SessionId } from "../../../src/protocol/ids.ts";
import { t } from "../../i18n/t.ts";
import type { App } from "../app.ts";
import { titleFrom } from "./session-title.ts";

export async function startSession(app: App): Promise<void> {
  const made = await app.attempt(() => app.call("sessions.create", {}));
  if (made !== undefined) app.router.go("session", { sessionId: made.session.id });
}

/** Starts a session with this message. Undefined where it could not be sent. */
export async function startWith(app: App, text: string): Promise<SessionId | undefined> {
  return app.attempt(async () => {
    const { session } = await app.call("sessions.create", { title: titleFrom(text) });
    await app.call("chat.send", { sessionId: session.id, text });
    app.router.go("session", { sessionId: session.id });
    return session.id;
  });
}

export async function archiveSession(app: App, sessionId: SessionId, archived: boolean): Promise<void> {
  const done = await app.attempt(() => app.call("sessions.patch", { sessionId, archived }));
  if (done !== undefined) app.notices.tell(archived ? t("app.archived") : t("app.unarchived"));
}

/** Goes to the session above or below the open one in the list. */
export function goBy(app: App, step: 1 | -1): void {
  const { sessions } = app.state.sessions.get();
  const at = sessions.findIndex(({ id }) => id === app.router.get()?.params["sessionId"]);
  const next = sessions[at === -1 ? 0 : at + step];
  if (next !== undefined) app.router.go("session", { sessionId: next.id });
}
