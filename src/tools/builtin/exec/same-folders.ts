/**
 * Whether the gateway's folders are still those that they were. Hiding goes by path: a command that moved a folder above
 * one of them away, or put another in its place, would have the next command see it under its new name.
 */
import { stat } from "node:fs/promises";

const ABSENT = "absent";

/** Remembers what it finds when it is first asked, which is before the first command runs. */
export function createSameFolders(folders: readonly string[]): () => Promise<boolean> {
  let first: Promise<string[]> | undefined;
  const look = (): Promise<string[]> => Promise.all(folders.map(identityOf));
  return async () => {
    const [before, now] = [await (first ??= look()), await look()];
    return before.every((identity, index) => identity === ABSENT || identity === now[index]);
  };
}

const identityOf = (folder: string): Promise<string> =>
  stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => ABSENT,
  );
