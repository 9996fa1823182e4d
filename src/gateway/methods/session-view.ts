import type { Engine } from "../../engine/engine.ts";
import type { SessionView } from "../../protocol/methods.ts";
import type { Session } from "../../protocol/session.ts";

export type ViewOf = (session: Session) => SessionView;

/** Sessions as clients see them. A session's state never changes in place, so its view is made once. */
export function createSessionView(engine: Pick<Engine, "waiting">): ViewOf {
  const made = new WeakMap<Session, SessionView>();
  return (session) => {
    const known = made.get(session);
    if (known !== undefined) return known;
    const { injections: _injections, timers: _timers, inbox, ...shown } = session;
    const view: SessionView = { ...shown, waiting: engine.waiting(session), queuedMessages: inbox.length };
    made.set(session, view);
    return view;
  };
}
