/** Where an answer of today is not what was recorded. More members of an object are no difference; everything else is. */
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

/** Of lists of different lengths: what stood only there, and what stands only here, in the longest common order. */
function otherItems({ was, now, at }: { was: Json[]; now: Json[]; at: string }): Difference[] {
  const same = was.map((item) => now.map((other) => differences(item, other).length === 0));
  const longest = Array.from({ length: was.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const length = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row !== undefined)
        row[j] = same[i]?.[j] === true ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  const [gone, come]: [Json[], Json[]] = [[], []];
  for (let i = 0, j = 0; i < was.length || j < now.length;) {
    if (i < was.length && j < now.length && same[i]?.[j] === true) [i, j] = [i + 1, j + 1];
    else if (j >= now.length || (i < was.length && length(i + 1, j) >= length(i, j + 1))) gone.push(was[i++] ?? null);
    else come.push(now[j++] ?? null);
  }
  return [{ at, was: gone, now: come }];
}
