/** `holdpoint: please plan` → `please plan`; undefined where our name does not begin the text. */
export function nameCut(text: string, name: string): string | undefined {
  const isNamed = text.slice(0, name.length).toLowerCase() === name.toLowerCase();
  return isNamed && /^[,:]\s/.test(text.slice(name.length)) ? text.slice(name.length + 1).trim() : undefined;
}
