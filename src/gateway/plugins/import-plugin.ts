/**
 * The code of a trusted plugin, loaded into the gateway's own process. Trust is for exactly the files that were digested:
 * each is digested again from the very bytes that are run, also one that the plugin imports much later, so nothing can be
 * put in a file's place between the look at it and its use.
 */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bytesDigest, type FileDigests } from "../../plugins/packages/folder-files.ts";
import type { Plugin } from "../../plugins/sdk.ts";

const SDK = new URL("../../plugins/sdk.ts", import.meta.url).href;
const SDK_NAME = "holdpoint/plugin";

/** Of the plugins that were loaded, by the address of their folders: only what lies in them is handed the gateway's own SDK. */
const trusted = new Map<string, FileDigests>();
const entries = new Map<string, string>();
let isProvided = false;

/** `folder` is absolute and free of symlinks; `files` are what the operator trusted in it. */
export type Import = { folder: string; entry: string; id: string; files: FileDigests };

/** Everything that a plugin imports is loaded once in the life of a process, so another version of it needs another process. */
export function importPlugin({ folder, entry, id, files }: Import): Plugin {
  const path = join(folder, entry);
  const root = pathToFileURL(join(folder, "/")).href;
  trusted.set(root, files);
  entries.set(path, root);
  watchImports();
  const loaded: unknown = createRequire(import.meta.url)(path);
  const found = isTable(loaded) ? (loaded["default"] ?? loaded["plugin"]) : undefined;
  if (!isTable(found) || typeof found["register"] !== "function")
    throw new Error(`The entry of ${id} exports no plugin: export default definePlugin({ … })`);
  if (found["id"] !== id)
    throw new Error(`The entry of ${id} is the plugin "${String(found["id"])}": they must be one.`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at above; an operator trusts the rest
  return found as unknown as Plugin;
}

const rootOf = (url: string): string | undefined => [...trusted.keys()].find((root) => url.startsWith(root));
const isProvidedName = (name: string): boolean => name === SDK_NAME || name === "zod" || name.startsWith("zod/");

function watchImports(): void {
  if (isProvided) return;
  isProvided = true;
  registerHooks({
    resolve(specifier, context, next) {
      const root = entries.get(specifier) ?? rootOf(context.parentURL ?? "");
      if (root === undefined) return next(specifier, context);
      if (specifier === SDK_NAME) return { url: SDK, shortCircuit: true };
      if (isProvidedName(specifier)) return next(specifier, { ...context, parentURL: SDK });
      const found = next(specifier, context);
      if (!found.url.startsWith("node:") && !found.url.startsWith(root))
        throw new Error(
          `A trusted plugin may not import ${specifier}: it lies outside of the files that were trusted.`,
        );
      return found;
    },
    load(url, context, next) {
      const root = rootOf(url);
      if (root === undefined) return next(url, context);
      const loaded = next(url, context);
      const source = checked(url, root, loaded.source);
      return loaded.format === "addon" ? loaded : { ...loaded, source };
    },
  });
}

type Source = ReturnType<Parameters<typeof registerHooks>[0]["load"] & {}>["source"];

/** The bytes that will run, if they are those that were trusted. */
function checked(url: string, root: string, source: Source): Uint8Array {
  const path = decodeURIComponent(new URL(url).href.slice(root.length).replace(/[?#].*$/, ""));
  const bytes = bytesOf(source) ?? readFileSync(fileURLToPath(url));
  if (trusted.get(root)?.get(path) !== bytesDigest(bytes))
    throw new Error(`${path} is not the file that was trusted. Look at it, then trust the plugin again or not.`);
  return bytes;
}

function bytesOf(source: Source): Uint8Array | undefined {
  if (source === undefined || source === null) return undefined;
  if (typeof source === "string") return Buffer.from(source, "utf8");
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

const isTable = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
