/** The places of a view that are there: what does not exist needs no hiding, and could not be mounted over. */
import { lstatSync, realpathSync } from "node:fs";
import { mountOrder, type Place } from "../view.ts";

/** Free of symlinks. */
export type ExistingPlace = Place & { isFolder: boolean };

/** Links are followed: what is hidden or shown is what stands behind them. In mounting order. */
export const existingPlaces = (places: readonly Place[]): ExistingPlace[] =>
  mountOrder(places.flatMap(({ path, as }) => found(path, as)));

function found(path: string, as: Place["as"]): ExistingPlace[] {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return []; // most are absent: no exception for them
    const real = realpathSync.native(path);
    return [{ path: real, as, isFolder: lstatSync(real).isDirectory() }];
  } catch {
    return []; // a link to nothing, or out of reach for the gateway itself
  }
}
