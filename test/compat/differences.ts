/** Where an answer of today is not what was recorded. More members of an object are no difference; everything else is. */
import { diffArrays } from "diff";
import type { Json } from "../../src/protocol/json.ts";

/** `at` is the way to the value, with `/` between its parts. Absent values stand as null. */
export type Difference = { at: string; was: Json; now: Json };

export function differences(was: Json | undefined, now: Json | undefined, at = ""): Difference[] {
  if (Array.isArray(was) && Array.isArray(now)) {
    if (was.length !== now.length) return otherItems({ was, now, at });
    return was.flatMap((item, index) => differences(item, now[index], `${at}/${index}`));
  }
  if (isObject(was) && isObject(now)) {
    return Object.entries(was).flatMap(([name, value]) => differences(value, now[name], `${at}/${name}`));
  }
  return was === now ? [] : [{ at, was: was ?? null, now: now ?? null }];
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of lists of different lengths: what stood only there, and what stands only here. */
function otherItems({ was, now, at }: { was: Json[]; now: Json[]; at: string }): Difference[] {
  const parts = diffArrays(was, now, { comparator: (left, right) => differences(left, right).length === 0 });
  const gone = parts.filter(({ removed }) => removed).flatMap(({ value }) => value);
  const come = parts.filter(({ added }) => added).flatMap(({ value }) => value);
  return [{ at, was: gone, now: come }];
}
