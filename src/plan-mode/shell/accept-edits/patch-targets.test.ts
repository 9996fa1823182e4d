import { expect, it } from "vitest";
import { patchTargets } from "./patch-targets.ts";

it.each([
  ["*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", ["a"]],
  ["*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch", ["a", "b"]],
  ["*** Begin Patch\n*** Delete File: a b\n*** End Patch", ["a b"]],
  ["***BEGIN PATCH\n--- x\n***delete file:a\n", ["a"]],
  ["*** Begin Patch\r\n*** Update File: a\r\n*** Rename to: b\r\n", ["a", "b"]],
  ["*** Update File: a", ["a"]],
  ["***\tCreate\tFile\t:\ta\t", ["a"]],
  ['*** Modify File: "a\'b"', ["a'b"]],
  ["*** Remove File: `a`", ["a"]],
  ["*** Begin Patch\n*** Update File: a\n+*** Update File: b\n --- c\n*** End Patch", ["a"]],
  ["*** Begin Patch\n--- a/x\n+++ b/y\n*** End Patch", []],
  ["--- a/x\n+++ b/y\n@@ -1 +1 @@\n-*** Begin Patch\n", ["x", "y"]],
  ["--- x\t2026-01-01\n+++ y\t2026-01-01", ["x", "y"]],
  ["---\ta/x y\n+++\tb/x y", ["x y", "x y"]],
  ["--- /dev/null\n+++ b/new", ["/dev/null", "new"]],
  ["diff --git a/x b/y\nrename from x\nrename to y", ["x", "y"]],
  ["copy from x\ncopy to y\n", ["x", "y"]],
  ["see rename to y", []],
  ["***Begin Patch\n--- a/x", []],
  ["*** Add  File: a\n*** Move  to: b\n*** Rename \tto: c", ["a", "b", "c"]],
  ["---  a/x\n+++ \tb/y", ["x", "y"]],
  ["rename from old\nrename to new", ["old", "new"]],
  ["x --- a\nx *** Update File: b", []],
])("[AE-04] finds the files that a patch touches: %j", (patch, expected) => {
  expect(patchTargets(patch)).toEqual(expected);
});
