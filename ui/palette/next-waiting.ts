/** Goes from one thing that waits to the next, wherever the person is. */
import type { App } from "../app/app.ts";
import { cardHref } from "../inbox/card-href.ts";
import { readMarks } from "../inbox/read-marks.ts";
import { nextOf } from "./next-of.ts";

/** Of what waits after the session that is open, the first; after the last one the first again. */
export function goToWaiting(
  app: App,
  { step = 1, isUnread = false }: { step?: 1 | -1; isUnread?: boolean } = {},
): void {
  const here = app.router.get()?.params["sessionId"];
  const all = app.state.waiting.get();
  const waiting = isUnread
    ? all.filter(({ id, waiting: { id: card } }) => id === here || !readMarks.get().has(card))
    : all;
  const next = nextOf(waiting, here, step);
  if (next === undefined) return app.router.go("inbox", {});
  readMarks.mark([next.waiting.id], true);
  app.router.open(cardHref(next));
}
