/** A finger that moves sideways over the page: what it meant, if anything. */

/** A flick, and not a slow look at something wide. */
const MOVED_PX_MIN = 64;
const TOOK_MS_MAX = 600;

export type Touch = { x: number; y: number; atMs: number };

/** Left is on to the next, right is back; undefined for everything else, such as scrolling. */
export function swipeOf(from: Touch, to: Touch): 1 | -1 | undefined {
  const [across, along] = [to.x - from.x, to.y - from.y];
  if (to.atMs - from.atMs > TOOK_MS_MAX) return undefined;
  if (Math.abs(across) < MOVED_PX_MIN || Math.abs(across) < 2 * Math.abs(along)) return undefined;
  return across < 0 ? 1 : -1;
}

/** Calls back for every swipe with one finger that nothing under it needs for itself. */
export function onSwipe(swiped: (step: 1 | -1) => void): void {
  let from: Touch | undefined;
  addEventListener("touchstart", (event) => void (from = isForItself(event) ? undefined : touchOf(event)), {
    passive: true,
  });
  addEventListener(
    "touchend",
    (event) => {
      const to = touchOf(event);
      const step = from === undefined || to === undefined ? undefined : swipeOf(from, to);
      from = undefined;
      if (step !== undefined) swiped(step);
    },
    { passive: true },
  );
}

function touchOf({ touches, changedTouches, timeStamp }: TouchEvent): Touch | undefined {
  const one = touches.length > 1 ? undefined : changedTouches[0];
  return one === undefined ? undefined : { x: one.clientX, y: one.clientY, atMs: timeStamp };
}

/** A field, a dialog, and whatever scrolls sideways by itself. */
function isForItself(event: Event): boolean {
  return event.composedPath().some((target) => {
    if (!(target instanceof HTMLElement)) return false;
    if (target.matches("input, textarea, select, dialog, [popover]")) return true;
    return target.scrollWidth > target.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(target).overflowX);
  });
}
