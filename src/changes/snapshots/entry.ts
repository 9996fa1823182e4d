/** What is known of one file of a workspace at one moment, and how two moments differ. */
import { z } from "zod";

/** As the file system tells them; a change of any of them means that the file is looked at again. */
export const FileStat = z.strictObject({
  mode: z.int(),
  size: z.int(),
  mtimeMs: z.number(),
  ctimeMs: z.number(),
  ino: z.number(),
});
export type FileStat = z.infer<typeof FileStat>;

/**
 * `sha256:…` kept among our contents, `git:…` an object in a pack that we hold on to, `link:…` a symbolic link's target,
 * `none:…` not kept, with the reason.
 */
export const ContentRef = z.string();
export type ContentRef = z.infer<typeof ContentRef>;

export const Entry = z.strictObject({
  stat: FileStat,
  ref: ContentRef,
  /** It was changed so shortly before it was read that a later change may look the same: it is read again. */
  racy: z.boolean().exactOptional(),
});
export type Entry = z.infer<typeof Entry>;

/** One file before and after; null where there was none. */
export const Delta = z.strictObject({ path: z.string(), before: Entry.nullable(), after: Entry.nullable() });
export type Delta = z.infer<typeof Delta>;

export type NotKept = "too-large" | "full" | "unreadable" | "special" | "lost";

export const kept = (hash: string): ContentRef => `sha256:${hash}`;
export const inGit = (oid: string): ContentRef => `git:${oid}`;
export const linkTo = (target: string): ContentRef => `link:${target}`;
export const notKept = (why: NotKept): ContentRef => `none:${why}`;

export const isNotKept = (ref: ContentRef): boolean => ref.startsWith("none:");
export const gitOid = (ref: ContentRef): string | undefined => (ref.startsWith("git:") ? ref.slice(4) : undefined);
export const linkTarget = (ref: ContentRef): string | undefined => (ref.startsWith("link:") ? ref.slice(5) : undefined);

/** With the bits by which a program runs as its owner. */
const PERMISSIONS = 0o7777;
export const permissionsOf = ({ stat }: Entry): number => stat.mode & PERMISSIONS;

export const isSameStat = (one: FileStat, other: FileStat): boolean =>
  one.ctimeMs === other.ctimeMs &&
  one.mtimeMs === other.mtimeMs &&
  one.size === other.size &&
  one.ino === other.ino &&
  one.mode === other.mode;

/** Whether two entries stand for the same file: what is not kept is compared by its size and times. */
export function isSameFile(one: Entry | null, other: Entry | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.ref !== other.ref || permissionsOf(one) !== permissionsOf(other)) return false;
  if (!isNotKept(one.ref)) return true;
  const [a, b] = [one.stat, other.stat];
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs; // a program sets the first two as it likes
}

export type ChangeKind = "added" | "modified" | "deleted" | "mode";

export function changeOf({ before, after }: Pick<Delta, "before" | "after">): ChangeKind {
  if (before === null) return "added";
  if (after === null) return "deleted";
  return before.ref === after.ref && !isNotKept(before.ref) ? "mode" : "modified";
}
