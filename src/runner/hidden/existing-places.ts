/** The places of a view that are there: what does not exist needs no hiding, and could not be mounted over. */
import { lstatSync, realpathSync } from "node:fs";
import { mountOrder, type Place } from "../view.ts";
import { otherNames } from "./other-mounts.ts";

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

/** Besides, what is hidden is hidden wherever else it is mounted; also what lies in a folder that is empty here anyway. */
export function hiddenEverywhere(places: readonly Place[]): ExistingPlace[] {
  const there = places.flatMap(({ path, as }) => found(path, as));
  const shown = new Set(there.flatMap(({ path, as }) => (as === "hidden" ? [] : [path])));
  const names = otherNames(there.flatMap(({ path, as }) => (as === "hidden" && !shown.has(path) ? [path] : [])));
  return mountOrder([...there, ...names.flatMap((path) => found(path, "hidden"))]);
}
