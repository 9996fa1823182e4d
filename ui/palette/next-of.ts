/** The one after, or before, in a list that goes round. */
export function nextOf<Item extends { id: string }>(
  items: readonly Item[],
  here: string | undefined,
  step: 1 | -1 = 1,
): Item | undefined {
  const at = items.findIndex(({ id }) => id === here);
  const start = at === -1 && step === -1 ? 0 : at;
  return items[(start + step + items.length) % items.length];
}
