/** What will happen by itself: the timers of sessions, earliest first. */
import type { Engine } from "../../../engine/engine.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import type { Timer } from "../../../protocol/session.ts";
import type { TimerView } from "../../../protocol/wire/timer-view.ts";
import { PAGE_MAX, type Store } from "../../../store/store.ts";

type Parts = { store: Pick<Store, "dueTimers">; engine: Pick<Engine, "session"> };
type Asked = { sessionId?: SessionId | undefined; limit: number };

export async function timersOf(parts: Parts, { sessionId, limit }: Asked): Promise<TimerView[]> {
  const { store, engine } = parts;
  const wanted =
    sessionId === undefined
      ? await store.dueTimers({ atMs: Number.MAX_SAFE_INTEGER, limit: Math.min(limit, PAGE_MAX) })
      : (await ownTimers(sessionId, engine)).slice(0, limit);
  const titles = new Map<SessionId, string>();
  for (const { sessionId: id } of wanted) if (!titles.has(id)) titles.set(id, (await engine.session(id))?.title ?? "");
  return wanted.map(({ sessionId: id, timer: { slice, key, atMs, command } }) => ({
    sessionId: id,
    title: titles.get(id) ?? "",
    slice,
    key: key.slice(key.indexOf("/") + 1),
    atMs,
    does: typeof command["type"] === "string" ? command["type"] : "",
  }));
}

/** A session knows its own, however many others there are. */
async function ownTimers(
  sessionId: SessionId,
  engine: Parts["engine"],
): Promise<{ sessionId: SessionId; timer: Timer }[]> {
  const timers = (await engine.session(sessionId))?.timers ?? [];
  return timers.toSorted((a, b) => a.atMs - b.atMs).map((timer) => ({ sessionId, timer }));
}
