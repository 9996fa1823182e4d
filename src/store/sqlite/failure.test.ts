import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { diagnose, probeFolder } from "./failure.ts";

const sqliteError = (errcode: number): Error => Object.assign(new Error("disk I/O error"), { errcode });

it.each<[string, number, string | undefined, string]>([
  ["a full disk", 13, undefined, "full"],
  ["a read-only file", 8, undefined, "read-only"],
  ["a read-only folder", 1544, undefined, "read-only"],
  ["a database file that was moved away", 1032, undefined, "fatal"],
  ["another program's lock", 5, undefined, "busy"],
  ["a failed fsync", 1034, undefined, "fatal"],
  ["a failed fsync of the folder, even on a full disk", 1290, "ENOSPC", "fatal"],
  ["a failed write on a disk that became read-only", 778, "EROFS", "read-only"],
  ["a failed write over quota", 778, "EDQUOT", "full"],
  ["a failed write on a disk that works otherwise", 778, undefined, "fatal"],
  ["a shared-memory file that cannot grow", 4874, "ENOSPC", "full"],
  ["a file that cannot be opened for want of rights", 14, "EACCES", "read-only"],
  ["a corrupt database", 11, undefined, "fatal"],
  ["a constraint that was violated", 1299, undefined, "bug"],
])("tells %s from the others", (...[, errcode, errno, expected]) => {
  expect(diagnose(sqliteError(errcode), () => errno)).toBe(expected);
});

it("takes an error that is none of SQLite's for a bug", () => {
  expect(diagnose(new TypeError("x is undefined"), () => undefined)).toBe("bug");
});

it("asks the disk by writing to it", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-probe-"));
  expect(probeFolder(folder)).toBeUndefined();
  rmSync(folder, { recursive: true });
  expect(probeFolder(folder)).toBe("ENOENT");
});
