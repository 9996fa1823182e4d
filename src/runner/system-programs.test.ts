import { describe, expect, it } from "vitest";
import { createSystemPrograms, type SystemFacts } from "./system-programs.ts";

type Entry = { uid?: number; gid?: number; mode?: number; real?: string };

const programs = (entries: Record<string, Entry>, groups: readonly number[] = []) => {
  const given: Record<string, Entry> = { "/": {}, "/usr": {}, ...entries };
  const look: SystemFacts["look"] = (path) => {
    const entry = given[path];
    return entry === undefined ? undefined : { real: path, uid: 0, gid: 0, mode: 0o755, ...entry };
  };
  return createSystemPrograms({ folders: ["/usr/bin", "/usr/local/bin"], look, groups });
};

describe("the programs between a command and the machine", () => {
  it("[GA-06] come from the system's own folders, in their order", () => {
    const found = programs({ "/usr/bin": {}, "/usr/local": {}, "/usr/local/bin": {}, "/usr/bin/bash": {} });
    expect([found.find("bash"), found.find("bwrap"), found.path]).toEqual([
      "/usr/bin/bash",
      undefined,
      "/usr/bin:/usr/local/bin",
    ]);
  });

  it.each([
    ["the program is somebody else's", { "/usr/bin": {}, "/usr/bin/bash": { uid: 1_000 } }],
    ["anybody may write to the program", { "/usr/bin": {}, "/usr/bin/bash": { mode: 0o757 } }],
    ["the folder is somebody else's", { "/usr/bin": { uid: 1_000 }, "/usr/bin/bash": {} }],
    ["anybody may write to the folder", { "/usr/bin": { mode: 0o1777 }, "/usr/bin/bash": {} }],
    ["anybody may replace the folder", { "/usr": { mode: 0o777 }, "/usr/bin": {}, "/usr/bin/bash": {} }],
    ["it leads into a workspace", { "/usr/bin": {}, "/usr/bin/bash": { real: "/w/bash" }, "/w": { uid: 1_000 } }],
  ])("[GA-06] are not taken when %s", (_why, entries: Record<string, Entry>) => {
    expect(programs(entries).find("bash")).toBeUndefined();
  });

  it("[GA-06] are not taken from a folder that the gateway's own group may write to", () => {
    const entries = { "/usr/bin": { gid: 50, mode: 0o2775 }, "/usr/bin/bash": {} };
    expect(programs(entries, [50]).find("bash")).toBeUndefined();
    expect(programs(entries, [60]).find("bash")).toBe("/usr/bin/bash");
  });
});
