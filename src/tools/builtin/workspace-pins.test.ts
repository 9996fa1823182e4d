import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileNames } from "../../gateway/tools/file-names.ts";
import { createWorkspacePins } from "./workspace-pins.ts";

function world() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-pins-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string): string => join(root, name);
  for (const name of ["home", "work", "secret", "above", "above/deep"]) mkdirSync(at(name));
  const start = () => {
    const pins = createWorkspacePins(fileNames(join(at("home"), "workspaces.json")));
    onTestFinished(() => pins.close());
    return pins;
  };
  const swap = (name: string): void => {
    renameSync(at(name), at(`${name}-away`));
    symlinkSync(at("secret"), at(name));
  };
  return { at, start, swap };
}

const moved = { error: expect.stringContaining("leads to another folder") as string };

it("[GA-13] a workspace that is swapped for a link is refused, also after a restart, and is itself again afterwards", () => {
  const { at, start, swap } = world();
  const first = start();
  const pinned = first.pin(at("work"));
  expect(pinned).toEqual({ path: at("work"), identity: expect.stringMatching(/^\d+:\d+$/) as string });
  swap("work");
  expect(first.pin(at("work"))).toEqual(moved);
  expect(start().pin(at("work"))).toEqual(moved);
  rmSync(at("work"));
  renameSync(at("work-away"), at("work"));
  expect(start().pin(at("work"))).toEqual(pinned);
});

it("[GA-13] so is one below a folder that is swapped, and one whose link is pointed elsewhere", () => {
  const { at, start, swap } = world();
  symlinkSync(at("work"), at("link"));
  const pins = start();
  expect([pins.pin(at("above/deep")), pins.pin(at("link"))]).toMatchObject([
    { path: at("above/deep") },
    { path: at("work") },
  ]);
  mkdirSync(join(at("secret"), "deep"));
  swap("above");
  rmSync(at("link"));
  symlinkSync(at("secret"), at("link"));
  expect([pins.pin(at("above/deep")), pins.pin(at("link"))]).toEqual([moved, moved]);
});

it("[GA-13] a folder that a person made anew under the same path is their workspace, as another folder", () => {
  const { at, start } = world();
  const pins = start();
  const before = pins.pin(at("work"));
  rmdirSync(at("work"));
  expect(pins.pin(at("work"))).toEqual({ path: at("work") });
  mkdirSync(at("work"));
  const after = pins.pin(at("work"));
  expect(after).toMatchObject({ path: at("work") });
  expect(after).not.toEqual(before); // held open, the old one keeps its number to itself
});

it.skipIf(process.platform !== "linux")(
  "[GW-05] holds so many folders open and no more, and none after it was closed",
  () => {
    const { at, start } = world();
    const open = (): number => readdirSync("/proc/self/fd").length;
    const pins = start();
    const before = open();
    for (let n = 0; n < 100; n += 1) {
      mkdirSync(at(`many-${n}`));
      pins.pin(at(`many-${n}`));
    }
    expect(open() - before).toBe(64);
    pins.close();
    expect(open()).toBe(before);
  },
);

it("[GA-13] names that cannot be read or recorded are taken for no", () => {
  const { at, start } = world();
  const unrecorded = { error: expect.stringContaining("could not be read or recorded") as string };
  mkdirSync(join(at("home"), "workspaces.json.new"));
  const pins = start();
  expect([pins.pin(at("work")), pins.pin(at("work"))]).toEqual([unrecorded, unrecorded]);
  rmdirSync(join(at("home"), "workspaces.json.new"));
  expect(pins.pin(at("work"))).toMatchObject({ path: at("work") });
  writeFileSync(join(at("home"), "workspaces.json"), "{ broken");
  expect(start().pin(at("work"))).toEqual(unrecorded);
});
