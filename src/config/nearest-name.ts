const DISTANCE_MAX = 3;
const NAME_CHARS_MAX = 64; // beyond it nothing was mistyped, and the table below stays small

/** The known name that somebody probably meant, if one is near enough to be worth saying. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > NAME_CHARS_MAX) return undefined;
  const folded = given.toLowerCase();
  const ranked = known
    .map((name) => ({ name, distance: editDistance(folded, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.min(DISTANCE_MAX, Math.ceil(name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

/** How many letters must be put in, taken out or exchanged to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const exchanged = (row[j] ?? 0) + (to[j] === from[i] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
