/** `holdpoint plugins create`: a small plugin that works, with a test, to be changed into another one. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { MANIFEST_FILE, PluginId, type PluginManifest } from "../../protocol/plugin/plugin-manifest.ts";
import { CliError } from "../cli-error.ts";

export type MadePlugin = { id: string; folder: string; files: string[] };

export async function createPluginFolder(folder: string): Promise<MadePlugin> {
  const id = idFrom(folder);
  const inside = await readdir(folder).catch((): string[] => []);
  if (inside.length > 0) throw usage(`${folder} is not empty. Name a new folder.`);
  await mkdir(join(folder, "test"), { recursive: true });
  const files = filesFor(id);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { flag: "wx" });
  return { id, folder, files: Object.keys(files) };
}

function idFrom(folder: string): string {
  const id = PluginId.safeParse(
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, ""),
  );
  if (id.success && id.data.length <= 32 && /^[a-z]/.test(id.data)) return id.data;
  throw usage(
    `"${basename(folder)}" cannot name a plugin: begin with a letter, then letters, digits and -, at most 32.`,
  );
}

const usage = (message: string): CliError => new CliError({ exit: "usage", message, code: "USAGE" });

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function filesFor(id: string): Record<string, string> {
  const manifest: Omit<PluginManifest, "policies" | "tools" | "hooks"> = {
    id,
    name: id,
    version: "0.1.0",
    description: "Asks a person before something happens.",
    entry: "index.js",
    sdk: 1,
    trust: "ordinary",
    needs: ["injections"],
    commands: [
      {
        name: id,
        description: "Approve, or see where it stands.",
        requiredScopes: ["operator.approvals"],
        subcommands: [
          { name: "approve", description: "say yes; the agent goes on" },
          { name: "status", description: "where it stands", requiredScopes: ["operator.read"] },
        ],
      },
    ],
    ui: [{ id: "status", surface: "session-header" }],
  };
  const pack = {
    name: `holdpoint-plugin-${id}`,
    version: manifest.version,
    description: manifest.description,
    type: "module",
    main: "index.js",
    files: ["index.js", MANIFEST_FILE],
    scripts: { test: "node --test" },
    peerDependencies: { holdpoint: "*" },
  };
  return {
    [MANIFEST_FILE]: json(manifest),
    "package.json": json(pack),
    "index.js": ENTRY.replaceAll("PLUGIN_ID", id),
    "test/plugin.test.js": TEST.replaceAll("PLUGIN_ID", id),
    "README.md": README.replaceAll("PLUGIN_ID", id),
  };
}

const ENTRY = `import { definePlugin, z } from "holdpoint/plugin";

export default definePlugin({
  id: "PLUGIN_ID",
  name: "PLUGIN_ID",
  description: "Asks a person before something happens.",
  register(api) {
    api.session.state.registerSessionExtension({
      namespace: "approval",
      description: "Whether somebody said yes.",
      schema: z.object({ approvedBy: z.string().nullable() }),
      initial: { approvedBy: null },
      project: ({ approvedBy }) => ({ status: approvedBy === null ? "waits for approval" : "approved by " + approvedBy }),
    });
    api.session.controls.registerControlUiDescriptor({
      id: "status",
      surface: "session-header",
      label: "PLUGIN_ID",
      body: [{ kind: "badge", text: { path: "approval.status" } }],
    });
    api.commands.registerCommand({
      name: "PLUGIN_ID",
      description: "Approve, or see where it stands.",
      async handler({ args, actor, state, enqueueNextTurnInjection }) {
        if (args === "approve") {
          state.set("approval", { approvedBy: actor.name });
          enqueueNextTurnInjection({ text: actor.name + " approved it. Go on." });
          return { message: "Approved.", continueAgent: true };
        }
        const { approvedBy } = state.get("approval") ?? { approvedBy: null };
        return { message: approvedBy === null ? "It waits for approval." : "Approved by " + approvedBy + "." };
      },
    });
  },
});
`;

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestGateway } from "holdpoint/testing";

const folder = new URL("..", import.meta.url);

test("a person approves, and the agent hears it", async () => {
  await using gateway = await startTestGateway({ folder });
  const session = await gateway.session();
  assert.equal(await session.run("/PLUGIN_ID status"), "It waits for approval.");
  assert.equal(await session.run("/PLUGIN_ID approve"), "Approved.");
  await session.atRest();
  assert.match((await session.inputs())[0], /local approved it/);
  assert.equal(await session.run("/PLUGIN_ID status"), "Approved by local.");
});
`;

const README = `# PLUGIN_ID

A plugin for Holdpoint. Install it with \`holdpoint plugins install .\`, then say \`/PLUGIN_ID approve\` in a session.
`;
