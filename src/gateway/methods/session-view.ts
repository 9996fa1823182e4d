/** Sessions as clients see them. */
import type { Engine } from "../../engine/engine.ts";
import type { PluginHost } from "../../plugins/host.ts";
import { publicSlices } from "../../plugins/state/state-views.ts";
import type { SessionView } from "../../protocol/methods.ts";
import type { Session } from "../../protocol/session.ts";

/** What a session is in when no plugin puts it in a mode. */
export const NORMAL_MODE = "normal";

export type ViewOf = (session: Session) => SessionView;

type Projecting = Pick<PluginHost, "projections" | "onChange">;

/**
 * A session's state never changes in place, so its view is cached until plugins change. Its cards and controls are
 * computed each time, because who may sign and which modes there are depend on settings that change on their own.
 */
export function createSessionView(
  engine: Pick<Engine, "waiting" | "mode" | "cards" | "controls">,
  host?: Projecting,
): ViewOf {
  let made = new WeakMap<Session, Omit<SessionView, "cards" | "controls">>();
  host?.onChange(() => void (made = new WeakMap()));
  const stateOf = (session: Session): Omit<SessionView, "cards" | "controls"> => {
    const known = made.get(session);
    if (known !== undefined) return known;
    const { injections: _injections, timers: _timers, inbox, ...shown } = session;
    const plugins = host?.projections(session);
    const view: Omit<SessionView, "cards" | "controls"> = {
      ...shown,
      slices: publicSlices(session.slices),
      ...(plugins === undefined ? {} : { plugins }),
      waiting: engine.waiting(session),
      mode: engine.mode(session) ?? NORMAL_MODE,
      queuedMessages: inbox.length,
    };
    made.set(session, view);
    return view;
  };
  return (session) => ({ ...stateOf(session), cards: engine.cards(session), controls: engine.controls(session) });
}
