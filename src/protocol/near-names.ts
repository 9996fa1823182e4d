/** Suggests the nearest known names for a misspelt one. */
const NEAR_MAX = 3;
/** Two letters exchanged count as two slips; more wrong than right is another word. */
const SLIPS_MAX = 3;

/** Names that somebody may have meant, nearest first. */
export function nearNames(asked: string, names: readonly string[]): string[] {
  const wanted = asked.toLowerCase().slice(0, 64);
  return names
    .map((name) => ({ name, distance: nearness(wanted, name.toLowerCase()) }))
    .filter((item) => item.distance <= Math.min(SLIPS_MAX, Math.ceil(item.name.length / 2)))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, NEAR_MAX)
    .map((item) => item.name);
}

const nearness = (wanted: string, name: string): number =>
  name.includes(wanted) || wanted.includes(name) ? 1 : distance(wanted, name);

/** Levenshtein: how many letters to insert, drop or change. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const changed = (above[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      row.push(Math.min(changed, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}
