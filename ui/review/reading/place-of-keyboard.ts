/** The part of a plan that has the keyboard, as long as it is in sight. */
import type { Place } from "../notes/places.ts";

export function placeOfKeyboard(root: ShadowRoot | null): Place | undefined {
  const part = root?.activeElement?.closest<HTMLElement>("[data-place]");
  if (part === null || part === undefined) return undefined;
  const { top, bottom } = part.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own templates wrote it
  return isInSight ? (part.dataset["place"] as Place) : undefined;
}
