/** Where an answer of today is not what was recorded. More members of an object are no difference; everything else is. */
import type { Json } from "../../src/protocol/json.ts";

/** `at` is the way to the value, with `/` between its parts. Absent values stand as null. */
export type Difference = { at: string; was: Json; now: Json };

export function differences(was: Json | undefined, now: Json | undefined, at = ""): Difference[] {
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    return was.flatMap((item, index) => differences(item, now[index], `${at}/${index}`));
  }
  if (isObject(was) && isObject(now)) {
    return Object.entries(was).flatMap(([name, value]) => differences(value, now[name], `${at}/${name}`));
  }
  return was === now ? [] : [{ at, was: was ?? null, now: now ?? null }];
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
