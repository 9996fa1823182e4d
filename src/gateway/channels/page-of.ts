/** Where the page shows a session, for links in messages that people open elsewhere. */
import type { PagePlace } from "../../compose/page-place.ts";
import type { SessionId } from "../../protocol/ids.ts";

/** Undefined for an address that only this machine knows: a link that leads nowhere is worse than none. */
export function createPageOf({ address }: Pick<PagePlace, "address">): (sessionId: SessionId) => string | undefined {
  return (sessionId) => {
    const { origin } = address();
    return isLocal(origin) ? undefined : `${origin}/sessions/${encodeURIComponent(sessionId)}/plan`;
  };
}

const isLocal = (origin: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(new URL(origin).hostname);
