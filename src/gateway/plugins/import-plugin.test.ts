import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderDigests } from "../../plugins/packages/folder-files.ts";
import { importPlugin } from "./import-plugin.ts";

let root = "";
let folder = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-import-")));
  folder = join(root, "plugin");
  await mkdir(join(folder, "lib"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(
    join(folder, "lib", "old.cjs"),
    "module.exports = require('./more.json').word + require('node:path').sep;",
  );
  await writeFile(join(folder, "lib", "more.json"), '{ "word": "grüße" }');
  await writeFile(join(folder, "lib", "late.js"), "export const late = 'late';");
  await writeFile(join(folder, "index.js"), ENTRY);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const ENTRY = `import { definePlugin, z } from "holdpoint/plugin";
import { z as same } from "zod";
import old from "./lib/old.cjs";
export default definePlugin({
  id: "deploy", name: old, description: String(z === same),
  register: async () => (await import("./lib/late.js")).late,
});`;

const load = async (meanwhile: () => Promise<unknown> = async () => undefined) => {
  const { files } = await folderDigests(folder);
  await meanwhile();
  return importPlugin({ folder, entry: "index.js", id: "deploy", files });
};
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "loaded",
    (error: unknown) => String(error),
  );

describe("a trusted plugin", () => {
  it("[PG-04] is loaded with everything in its folder, the gateway's SDK and its zod", async () => {
    const plugin = await load();
    expect([plugin.name, plugin.description, await plugin.register(undefined as never)]).toEqual([
      "grüße/",
      "true",
      "late",
    ]);
  });

  it.each(["index.js", "lib/old.cjs", "lib/more.json"])(
    "[PG-04] runs no file that was changed between the look at it and its use: %s",
    async (path) => {
      const said = await outcome(load(() => writeFile(join(folder, path), "evil")));
      expect(said).toContain(`${path} is not the file that was trusted`);
    },
  );

  it("[PG-04] runs no file that was changed before it is imported, however late that is", async () => {
    const plugin = await load();
    await writeFile(join(folder, "lib", "late.js"), "export const late = 'evil';");
    expect(await outcome(Promise.resolve(plugin.register(undefined as never)))).toContain(
      "late.js is not the file that was trusted",
    );
  });

  const EVIL = "export default { id: 'deploy', register() {} };";

  it("[PG-04] runs nothing that a link leads to", async () => {
    await writeFile(join(root, "evil.js"), EVIL);
    const linked = load(async () => {
      await rm(join(folder, "index.js"));
      await symlink(join(root, "evil.js"), join(folder, "index.js"));
    });
    expect(await outcome(linked)).toMatch(/lies outside of the files that were trusted/);
  });

  it("[PG-04] runs nothing that lies elsewhere", async () => {
    await writeFile(join(root, "evil.js"), EVIL);
    await writeFile(join(folder, "index.js"), "export { default } from '../evil.js';");
    expect(await outcome(load())).toMatch(/may not import \.\.\/evil\.js: it lies outside/);
  });
});
