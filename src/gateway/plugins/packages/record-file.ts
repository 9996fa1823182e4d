/** `plugins.json`: what operators decided about plugins. Read whole, written whole. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../../../config/atomic-write.ts";
import { parseForeignJson } from "../../../plugins/packages/foreign-json.ts";
import { PluginRecords, type PluginRecord } from "../../../protocol/plugin/plugin-packages.ts";

const FILE_BYTES_MAX = 4 * 1024 * 1024;
const DEPTH_MAX = 8;

const recordFile = (home: string): string => join(home, "plugins.json");

/** The file cannot be understood. No plugin is loaded then: who is trusted is not known. */
export class RecordsUnreadable extends Error {}

export type Records = Readonly<Record<string, PluginRecord>>;

export async function readRecords(home: string): Promise<Records> {
  const file = recordFile(home);
  const text = await readBounded(file);
  if (text === undefined) return {};
  const json = parseForeignJson(text, { bytesMax: FILE_BYTES_MAX, depthMax: DEPTH_MAX });
  if (!json.ok) throw unreadable(file, json.problem);
  const parsed = PluginRecords.safeParse(json.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it does not fit"}`);
  }
  return parsed.data.plugins;
}

export async function writeRecords(home: string, plugins: Records): Promise<void> {
  const checked = PluginRecords.parse({ format: 1, plugins });
  await writeAtomically(recordFile(home), `${JSON.stringify(checked, null, 2)}\n`);
}

async function readBounded(file: string): Promise<string | undefined> {
  const found = await stat(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (found.size > FILE_BYTES_MAX) throw unreadable(file, `it is larger than ${FILE_BYTES_MAX} bytes`);
  return readFile(file, "utf8");
}

const unreadable = (file: string, reason: string): RecordsUnreadable =>
  new RecordsUnreadable(`${file} cannot be used: ${reason}. Until it is mended or removed, no plugin is loaded.`);
