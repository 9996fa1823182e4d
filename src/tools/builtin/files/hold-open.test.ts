import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readlinkSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/kit/turn-world.ts";
import { CAN_HOLD_OPEN, heldEntries, holdOpen } from "./hold-open.ts";

function place() {
  const [root, elsewhere] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
  mkdirSync(join(root, "a"));
  writeFileSync(join(root, "a", "token"), "of the workspace\n");
  writeFileSync(join(elsewhere, "token"), "of the gateway\n");
  return { root, elsewhere };
}

function readableLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

describe.skipIf(!CAN_HOLD_OPEN)("files held open", () => {
  it("[GA-15] are read as they were, whatever their folder has become since", async () => {
    const { root, elsewhere } = place();
    await using held = await holdOpen(root, ["a/token"]);
    renameSync(join(root, "a"), join(root, "b"));
    symlinkSync(elsewhere, join(root, "a"));
    expect(readFileSync(join(root, "a", "token"), "utf8")).toBe("of the gateway\n");
    const [path = ""] = held.paths;
    expect(held.nameOf(path)).toBe("a/token");
    expect(execFileSync("cat", [path], { encoding: "utf8" })).toBe("of the workspace\n"); // as a child reads it
  });

  it("[GA-15] are not held when a folder on the way is a link by now, nor when they are links or no files", async () => {
    const { root, elsewhere } = place();
    symlinkSync(elsewhere, join(root, "led"));
    symlinkSync(join(elsewhere, "token"), join(root, "link"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    await using held = await holdOpen(root, ["led/token", "link", "pipe", "a", "gone", "a/token"]);
    expect(held.paths.map(held.nameOf)).toEqual(["a/token"]);
  });

  it("[GA-15] a folder is listed only while its name leads to it", async () => {
    const { root, elsewhere } = place();
    symlinkSync(elsewhere, join(root, "led"));
    mkdirSync(join(elsewhere, "deep"));
    expect((await heldEntries(join(root, "a"))).map(({ name }) => name)).toEqual(["token"]);
    await expect(heldEntries(join(root, "led"))).rejects.toThrow(/ELOOP|ENOTDIR/);
    await expect(heldEntries(join(root, "led", "deep"))).rejects.toThrow("exchanged");
  });

  it("[GA-15] end with their holder", async () => {
    const { root } = place();
    const held = await holdOpen(root, ["a/token"]);
    const [path = ""] = held.paths;
    expect(readlinkSync(path)).toBe(join(root, "a", "token"));
    await held[Symbol.asyncDispose]();
    expect(readableLink(path)).not.toBe(join(root, "a", "token")); // another file may have the number by now
  });
});
