import type { Engine } from "../../engine/engine.ts";
import type { PluginHost } from "../../plugins/host.ts";
import { publicSlices } from "../../plugins/state/state-views.ts";
import type { SessionView } from "../../protocol/methods.ts";
import type { Session } from "../../protocol/session.ts";

export type ViewOf = (session: Session) => SessionView;

type Projecting = Pick<PluginHost, "projections" | "onChange">;

/** Sessions as clients see them. A session's state never changes in place, so its view is made once, until plugins change. */
export function createSessionView(engine: Pick<Engine, "waiting">, host?: Projecting): ViewOf {
  let made = new WeakMap<Session, SessionView>();
  host?.onChange(() => void (made = new WeakMap()));
  return (session) => {
    const known = made.get(session);
    if (known !== undefined) return known;
    const { injections: _injections, timers: _timers, inbox, ...shown } = session;
    const plugins = host?.projections(session);
    const view: SessionView = {
      ...shown,
      slices: publicSlices(session.slices),
      ...(plugins === undefined ? {} : { plugins }),
      waiting: engine.waiting(session),
      queuedMessages: inbox.length,
    };
    made.set(session, view);
    return view;
  };
}
