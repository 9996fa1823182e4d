/** What a built page consists of: `page.json` beside its files. Only files that it lists are served. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";

export const MANIFEST = "page.json";
const FILES_MAX = 2_000;

const PageFile = lazySchema(() =>
  z.strictObject({
    /** Where it lies, below the folder of the manifest. */
    file: z.string(),
    type: z.string(),
    hash: z.string(),
    /** Its name changes with its content. */
    immutable: z.boolean(),
    /** Forms that lie beside it, best first. */
    encodings: z.array(z.enum(["br", "gzip"])),
  }),
);
export type PageFile = z.infer<typeof PageFile>;

export const PageManifest = lazySchema(() =>
  z.strictObject({
    /** Whether the compressed forms are there, wherever they are a gain. */
    packed: z.boolean(),
    /** By the path in the address. */
    files: z.record(z.string(), PageFile).refine((files) => Object.keys(files).length <= FILES_MAX, "too many files"),
  }),
);
export type PageManifest = z.infer<typeof PageManifest>;

export type BuiltPage = { folder: string; packed: boolean; files: ReadonlyMap<string, PageFile> };

/** Undefined where there is none, or a half written one. */
export async function readBuiltPage(folder: string): Promise<BuiltPage | undefined> {
  try {
    const { packed, files } = PageManifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), "utf8")));
    return { folder, packed, files: new Map(Object.entries(files)) };
  } catch {
    return undefined; // the caller builds it, or says how to
  }
}

export const ENDING = { br: ".br", gzip: ".gz" } as const;
