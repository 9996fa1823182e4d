/** Plugins for tests: the smallest that does what its `register` says. */
import { type Plugin, type PluginApi, type WriteTool, z } from "../../src/plugins/sdk.ts";
import { PluginManifest } from "../../src/protocol/plugin/plugin-manifest.ts";

export const plugin = (id: string, register: (api: PluginApi<never>) => void | Promise<void>): Plugin => ({
  id,
  name: id,
  description: "for tests",
  register,
});

export const manifest = (id: string, parts: Partial<z.input<typeof PluginManifest>> = {}): PluginManifest =>
  PluginManifest.parse({
    id,
    name: id,
    version: "1.0.0",
    description: "for tests",
    entry: "index.js",
    sdk: 1,
    ...parts,
  });

export const tool = (name: string): WriteTool<Record<string, never>> => ({
  name,
  description: "for tests",
  input: z.strictObject({}),
  kind: "file_edit",
  effect: "write",
  run: async () => ({ status: "ok", content: "done" }),
});

export const command = (name: string) => ({
  name,
  description: "for tests",
  handler: async () => ({ message: "done" }),
});

export const counter = {
  namespace: "count",
  description: "for tests",
  schema: z.strictObject({ n: z.int() }),
  initial: { n: 0 },
  project: (state: { n: number }) => ({ shown: state.n }),
};
