import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderFiles, folderIntegrity, WRITTEN_WITH } from "./folder-files.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-files-"));
  await mkdir(join(folder, "lib"));
  await writeFile(join(folder, "index.js"), "1");
  await writeFile(join(folder, "lib", "a.js"), "22");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const problem = () =>
  folderIntegrity(folder).then(
    () => "none",
    (error: Error) => error.message,
  );

describe("the files of a plugin", () => {
  it("[PG-01] are listed in one order, with a digest that changes with every change", async () => {
    expect(await folderFiles(folder)).toEqual([
      { path: "index.js", size: 1 },
      { path: "lib/a.js", size: 2 },
    ]);
    const seen = new Set([await folderIntegrity(folder)]);
    await writeFile(join(folder, "index.js"), "2");
    seen.add(await folderIntegrity(folder));
    await rename(join(folder, "lib", "a.js"), join(folder, "lib", "b.js"));
    seen.add(await folderIntegrity(folder));
    await writeFile(join(folder, "more.js"), "");
    seen.add(await folderIntegrity(folder));
    expect(seen.size).toBe(4);
    expect([...seen].every((digest) => /^sha512-[A-Za-z0-9+/]{86}==$/.test(digest))).toBe(true);
  });

  it("[PG-01] may not be links, neither out of the folder nor within it", async () => {
    await symlink("/etc/passwd", join(folder, "out.js"));
    expect(await problem()).toBe(
      "out.js is a symbolic link that leads out of the folder. A plugin holds plain files: put a copy in its place.",
    );
    await rm(join(folder, "out.js"));
    await symlink("index.js", join(folder, "in.js"));
    expect(await problem()).toBe(
      "in.js is a symbolic link inside it. A plugin holds plain files: put a copy in its place.",
    );
    await rm(join(folder, "in.js"));
    await symlink("/", join(folder, "root"));
    expect(await problem()).toMatch(/^root is a symbolic link that leads out/);
  });

  it("[PG-01] are without what npm put there only where that is asked for, and only at the top", async () => {
    await mkdir(join(folder, "node_modules", ".bin"), { recursive: true });
    await symlink("/etc/passwd", join(folder, "node_modules", ".bin", "out"));
    expect(await problem()).toMatch(/^node_modules\/\.bin\/out is a symbolic link/);
    await mkdir(join(folder, "lib", "node_modules"));
    await writeFile(join(folder, "lib", "node_modules", "b.js"), "");
    const paths = (await folderFiles(folder, WRITTEN_WITH)).map(({ path }) => path);
    expect(paths).toEqual(["index.js", "lib/a.js", "lib/node_modules/b.js"]);
  });

  it("[PG-01] may be neither sockets nor devices", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(join(folder, "s"), resolve));
    expect(await problem()).toBe("s is neither a file nor a folder.");
    await new Promise((resolve) => void server.close(resolve));
  });

  it("[PG-01] may not be written by everybody", async () => {
    await chmod(join(folder, "lib"), 0o777);
    expect(await problem()).toBe("Everybody may write lib: chmod o-w, or anyone could put code into it.");
    await chmod(join(folder, "lib"), 0o755);
    await chmod(join(folder, "index.js"), 0o666);
    expect(await problem()).toBe("Everybody may write index.js: chmod o-w, or anyone could put code into it.");
    await chmod(folder, 0o777);
    expect(await problem()).toBe("Everybody may write the folder: chmod o-w, or anyone could put code into it.");
  });

  it("[PG-01] may not go down without end", async () => {
    await mkdir(join(folder, ...Array.from({ length: 25 }, () => "d")), { recursive: true });
    expect(await problem()).toMatch(/is nested too deeply\.$/);
  });
});
