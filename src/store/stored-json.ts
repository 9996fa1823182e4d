/**
 * Reads back what this program itself wrote. The shape was checked when it came in, migrations carry old shapes over,
 * and the database vouches for the bytes; checking it all again on every read would cost more than the read.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it once stored
export function fromStored<Value>(text: string): Value {
  return JSON.parse(text);
}
