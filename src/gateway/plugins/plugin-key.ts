/** A key for each plugin that asks for one: 32 random bytes in the gateway's own folder, which no agent sees. */
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const KEY_BYTES = 32;

/** Two that begin at the same moment end up with the same key: the file appears whole, and the first one stays. */
export async function pluginKey(home: string, pluginId: string): Promise<Uint8Array> {
  const folder = join(home, "keys");
  const path = join(folder, `${pluginId}.key`);
  const found = await read(path);
  if (found !== undefined) return found;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  await writeFile(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  await link(draft, path).catch((error: unknown) => {
    if (!isCode(error, "EEXIST")) throw error;
  });
  await rm(draft);
  const made = await read(path);
  if (made === undefined) throw new Error(`the key ${path} cannot be read`);
  return made;
}

async function read(path: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(path);
    if (bytes.length !== KEY_BYTES) throw new Error(`${path} is no key of ${KEY_BYTES} bytes`);
    return new Uint8Array(bytes);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
