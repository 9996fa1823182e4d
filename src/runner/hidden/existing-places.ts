/** The places of a view that are there: what does not exist needs no hiding, and could not be mounted over. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { mountOrder, type Place } from "../view.ts";
import { otherNames } from "./other-mounts.ts";

/** Free of symlinks. */
export type ExistingPlace = Place & { isFolder: boolean; isSocket: boolean };

/** Links are followed: what is hidden or shown is what stands behind them. In mounting order. */
export const existingPlaces = (places: readonly Place[]): ExistingPlace[] => mountOrder(foundOf(places));

/** Every one is looked at anew in each look; only that a folder is absent is remembered within it, for what would lie in there. */
function foundOf(places: readonly Place[]): ExistingPlace[] {
  const folders = new Map<string, boolean>();
  const isThere = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const seen = existsSync(folder);
    folders.set(folder, seen);
    return seen;
  };
  return places.flatMap((place) => (isThere(dirname(place.path)) ? found(place) : []));
}

function found({ path, as }: Place): ExistingPlace[] {
  if (!existsSync(path)) return []; // most are absent, or links to nothing: no exception for them
  try {
    const real = realpathSync.native(path);
    const seen = lstatSync(real);
    return [{ path: real, as, isFolder: seen.isDirectory(), isSocket: seen.isSocket() }];
  } catch {
    return []; // gone since, or out of reach for the gateway itself
  }
}

/** Besides, what is hidden is hidden wherever else it is mounted; also what lies in a folder that is empty here anyway. */
export function hiddenEverywhere(places: readonly Place[]): ExistingPlace[] {
  const there = foundOf(places);
  const shown = new Set(there.flatMap(({ path, as }) => (as === "hidden" ? [] : [path])));
  const names = otherNames(there.flatMap(({ path, as }) => (as === "hidden" && !shown.has(path) ? [path] : [])));
  return mountOrder([...there, ...foundOf(names.map((path) => ({ path, as: "hidden" })))]);
}
