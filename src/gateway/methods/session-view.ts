/** Sessions as clients see them. */
import type { Engine } from "../../engine/engine.ts";
import type { PluginHost } from "../../plugins/host.ts";
import { publicSlices } from "../../plugins/state/state-views.ts";
import { someKept, writeInParts } from "../../protocol/kept-text.ts";
import type { SessionView } from "../../protocol/methods.ts";
import type { Session } from "../../protocol/session.ts";

/** What a session is in when no plugin puts it in a mode. */
export const NORMAL_MODE = "normal";

export type ViewOf = (session: Session) => SessionView;

type Projecting = Pick<PluginHost, "projections" | "onChange">;

/**
 * A session's state never changes in place, so its view is cached until plugins change, or its cards and controls, which
 * depend on settings as well.
 */
export function createSessionView(
  engine: Pick<Engine, "waiting" | "mode" | "cards" | "controls">,
  host?: Projecting,
): ViewOf {
  let made = new WeakMap<Session, SessionView>();
  host?.onChange(() => void (made = new WeakMap()));
  return (session) => {
    const [cards, controls] = [engine.cards(session), engine.controls(session)];
    const known = made.get(session);
    if (known !== undefined && known.cards === cards && known.controls === controls) return known;
    const { injections: _injections, timers: _timers, inbox, ...shown } = session;
    const plugins = host?.projections(session);
    const view: SessionView = {
      ...shown,
      slices: publicSlices(session.slices),
      ...(plugins === undefined ? {} : { plugins }),
      waiting: engine.waiting(session),
      mode: engine.mode(session) ?? NORMAL_MODE,
      queuedMessages: inbox.length,
      cards,
      controls,
    };
    if (someKept(session.slices)) writeInParts(view);
    made.set(session, view);
    return view;
  };
}
