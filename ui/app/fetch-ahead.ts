/**
 * Loads code of views ahead: of what a person points at, and of the review while a plan waits.
 * Opening the view then needs no request.
 */
import { isOnline } from "../state/connection.ts";
import type { AppState } from "../state/app-state.ts";
import { placeAt, type RouteName, routeOf } from "./routes.ts";

/** These events do not cross the shadow root in which they began. */
const POINTING = ["pointermove", "pointerdown", "keyup"] as const;

/** Where a browser knows no idle time. */
const IDLE_MS = 200;

export function fetchAhead({ connection, waiting }: Pick<AppState, "connection" | "waiting">): void {
  const fetched = new Set<RouteName>();
  let last: EventTarget | undefined;

  function fetchView(name: RouteName): void {
    if (fetched.has(name) || !isOnline(connection.get())) return;
    fetched.add(name);
    routeOf(name)
      .main.load()
      .catch(() => fetched.delete(name)); // a failure is shown when the view is opened
  }

  function pointed(event: Event): void {
    const path = event.composedPath();
    if (path[0] === last) return;
    last = path[0];
    const link = path.find((target) => target instanceof HTMLAnchorElement);
    const url = link === undefined || link.href === "" ? undefined : new URL(link.href);
    const place = url?.origin === location.origin ? placeAt(url) : undefined;
    if (place !== undefined) fetchView(place.name);
  }

  for (const pointing of POINTING) addEventListener(pointing, pointed, { passive: true });
  const lookAtWaiting = (): void => {
    if (waiting.get().length > 0 && !fetched.has("plan")) whenIdle(() => fetchView("plan"));
  };
  waiting.subscribe(lookAtWaiting);
  lookAtWaiting();
}

function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work, IDLE_MS);
}
