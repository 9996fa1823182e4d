/** Text without its terminal colours, and where each character of it stands: a colour inside a key does not hide the key. */
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const COLOUR = /\u001B(?:\[[0-?]{0,24}[ -/]{0,4}[@-~]|[ -/]{1,3}[0-~])/g;
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const UNFINISHED = /\u001B(?:\[[0-?]{0,24}[ -/]{0,4}|[ -/]{0,3})$/;
/** An unfinished colour is at most this long. */
const COLOUR_CHARS_MAX = 32;

export type PlainText = {
  text: string;
  /** Where a character of the plain text stands in the given one; also for the end. */
  at(index: number): number;
};

export function plainText(given: string): PlainText {
  if (!given.includes("\u001B")) return { text: given, at: (index) => index };
  const starts: number[] = []; // of the pieces between colours, in the plain text
  const shifts: number[] = [];
  let text = "";
  let done = 0;
  const take = (to: number): void => {
    if (to === done) return;
    starts.push(text.length);
    shifts.push(done - text.length);
    text += given.slice(done, to);
  };
  for (const { index, 0: colour } of given.matchAll(COLOUR)) {
    take(index);
    done = index + colour.length;
  }
  take(given.length);
  return {
    text,
    at: (index) => (index >= text.length ? given.length : index + (shifts[lastNotAfter(starts, index)] ?? 0)),
  };
}

function lastNotAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a colour begins that the text ends within; its length where none does. */
export function unfinishedColour(given: string): number {
  const tail = given.slice(-COLOUR_CHARS_MAX);
  const found = UNFINISHED.exec(tail);
  return found === null ? given.length : given.length - tail.length + found.index;
}
