/** Which of two versions is newer, as npm orders them; what is built after a `+` does not count. */

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

export function isNewer(one: string, other: string): boolean {
  const [first, second] = [VERSION.exec(one), VERSION.exec(other)];
  if (first === null || second === null) return false;
  for (const at of [1, 2, 3]) {
    const difference = Number(first[at]) - Number(second[at]);
    if (difference !== 0) return difference > 0;
  }
  return isLaterPart(first[4], second[4]);
}

/** A version without such a part comes after all that have one. */
function isLaterPart(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === undefined && other !== undefined;
  const [parts, others] = [one.split("."), other.split(".")];
  for (const [at, part] of parts.entries()) {
    const against = others[at];
    if (against === undefined) return true;
    if (part !== against) return isLaterWord(part, against);
  }
  return false;
}

const NUMBER = /^\d+$/;

/** Numbers by their value, before all words; words by their letters. */
function isLaterWord(one: string, other: string): boolean {
  const [isNumber, isOther] = [NUMBER.test(one), NUMBER.test(other)];
  if (isNumber && isOther) return Number(one) > Number(other);
  return isNumber === isOther ? one > other : isOther;
}
