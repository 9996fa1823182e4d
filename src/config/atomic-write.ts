/**
 * Writes a file so that it is the old one or the new one at every instant, even after a power cut, and readable by its
 * owner only.
 */
import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const FILE_MODE = 0o600;

export async function writeAtomically(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file); // a link to a file kept elsewhere stays a link
  const folder = dirname(target);
  const temporary = join(folder, `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes the new name itself durable. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
