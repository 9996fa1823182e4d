/** The name of a plan's file: its day and its title. */

const SLUG_CHARS_MAX = 60;
const COPIES_MAX = 99;

export function planSlug(title: string): string {
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_CHARS_MAX)
    .replaceAll(/^-+|-+$/g, ""); // after cutting, which may leave one at the end
  return slug === "" ? "untitled" : slug;
}

/** In the order in which they are tried: the plain name, then `-2` to `-99`. */
export function* planFileNames({ title, atMs }: { title: string; atMs: number }): Generator<string> {
  const name = `plan-${new Date(atMs).toISOString().slice(0, 10)}-${planSlug(title)}`;
  yield `${name}.md`;
  for (let copy = 2; copy <= COPIES_MAX; copy++) yield `${name}-${copy}.md`;
}
