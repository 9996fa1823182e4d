/** What needs a signature of its own where `approvals.presence` is `destructive`, and passes as an edit elsewhere. */
import { describe, expect, it } from "vitest";
import { judgeAcceptEdits } from "../../accept-edits.ts";
import type { EditPlace } from "../finding.ts";

const FOLDERS = ["/", "/w", "/w/src", "/w/docs", "/tmp"];
const THERE = [...FOLDERS, "/w/a.txt", "/w/b.txt", "/w/src/a.txt"];

const usual: EditPlace = {
  cwd: "/w",
  home: "/home/me",
  realpath: (path) => (path === "/w/out" ? "/tmp" : THERE.includes(path) ? path : undefined),
};
const strict: EditPlace = { ...usual, strict: { workspace: "/w", isFolder: (path) => FOLDERS.includes(path) } };

const code = (command: string, place: EditPlace): string => {
  const verdict = judgeAcceptEdits({ tool: "exec", command }, place);
  return verdict.allowed ? "passes" : verdict.code;
};

describe("where what could destroy something is signed for by itself", () => {
  it.each([
    ["mv a.txt b.txt", "moves-over"],
    ["mv -f a.txt b.txt", "moves-over"],
    ["mv a.txt src", "moves-over"],
    ["mv -t src a.txt", "moves-over"],
    ["mv --target-directory=src a.txt", "moves-over"],
    ["mv src /tmp/elsewhere", "moves-out"],
    ["mv a.txt ../a.txt", "moves-out"],
    ["mv a.txt out/new.txt", "moves-out"],
    ['mv a.txt "$DIR"', "moves-out"],
    ["cd src && mv a.txt ../../x", "moves-out"],
    ["sh -c 'mv a.txt b.txt'", "moves-over"],
    ["dd if=/dev/zero of=a.txt bs=1 count=1", "dd-overwrites"],
    ["dd if=/dev/urandom of=a.txt conv=notrunc", "dd-overwrites"],
    ["chmod -R 000 src", "chmod-recursive"],
    ["chmod -R 0 src", "chmod-recursive"],
    ["chmod -R 0055 src", "chmod-recursive"],
    ["chmod --recursive a-rwx src", "chmod-recursive"],
    ["chmod -vR u= src", "chmod-recursive"],
    ["chmod -R -rw src", "chmod-recursive"],
    ["chown -R nobody src", "chown-recursive"],
    ["chgrp -hR staff .", "chown-recursive"],
  ])("[GW-10] %s is held: %s", (command, rule) => {
    expect([code(command, strict), code(command, usual)]).toEqual([rule, "passes"]);
  });

  it.each([
    "mv a.txt new.txt",
    "mv a.txt docs",
    "mv -n a.txt b.txt",
    "mv a.txt docs/new.txt",
    "dd if=a.txt of=copy.img",
    "dd if=a.txt of=/dev/null",
    "chmod -R u+rwX,go+r src",
    "chmod -R 755 src",
    "chmod -R u=rwX,go=rX src",
    "chmod 000 a.txt",
    "chown me a.txt",
    "npm test",
  ])("[GW-10] %s passes", (command) => {
    expect(code(command, strict)).toBe("passes");
  });

  it("[GW-10] a patch that deletes a file is held; one that changes files is not", () => {
    const judged = (patch: string, place: EditPlace) => {
      const verdict = judgeAcceptEdits({ tool: "apply_patch", patch }, place);
      return verdict.allowed ? "passes" : [verdict.code, verdict.matched];
    };
    const deletes = "*** Begin Patch\n*** Delete File: src/a.txt\n*** End Patch";
    const updates = "*** Begin Patch\n*** Update File: a.txt\n@@\n-*** Delete File: b.txt\n+x\n*** End Patch";
    const unified = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x";
    expect([deletes, updates, unified].map((patch) => judged(patch, strict))).toEqual([
      ["patch-deletes", "src/a.txt"],
      "passes",
      ["patch-deletes", "+++ /dev/null"],
    ]);
    expect([deletes, updates, unified].map((patch) => judged(patch, usual))).toEqual(["passes", "passes", "passes"]);
  });
});
