/** What will happen by itself: the timers of sessions, earliest first. */
import type { Engine } from "../../../engine/engine.ts";
import type { SessionId } from "../../../protocol/ids.ts";
import type { TimerView } from "../../../protocol/wire/timer-view.ts";
import { PAGE_MAX, type Store } from "../../../store/store.ts";

type Asked = { sessionId?: SessionId | undefined; limit: number };

/** Those of one session are found among the earliest of all. */
export async function timersOf(
  { store, engine }: { store: Pick<Store, "dueTimers">; engine: Pick<Engine, "session"> },
  { sessionId, limit }: Asked,
): Promise<TimerView[]> {
  const all = await store.dueTimers({ atMs: Number.MAX_SAFE_INTEGER, limit: PAGE_MAX });
  const wanted = all.filter((one) => sessionId === undefined || one.sessionId === sessionId).slice(0, limit);
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
