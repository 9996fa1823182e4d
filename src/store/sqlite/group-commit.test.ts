import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { create, sid } from "../contract/harness.ts";
import { serialised } from "../sql/serialise.ts";
import { openConnection } from "./connection.ts";
import { PAGES_AT_REST, prepareFolder } from "./database-file.ts";
import { failures } from "./failure.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { Job } from "./jobs.ts";

const FULL = 13;
const BUSY = 5;
const READONLY = 8;
const IOERR_FSYNC = 1034;
const CONSTRAINT = 1299;

/** More than enough for the log to become long, half a megabyte each. */
const LOG_JOBS = 100;

const job = (name: string, vital = false): Job => ({ kind: "commit", vital, commit: serialised(create(sid(name))) });
const committed = { status: "committed", version: 1, firstCursor: expect.any(Number) };

/** A real database behind a disk that fails when a test says so: the codes stand for the next transactions, in order. */
function onFailingDisk() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-group-"));
  prepareFolder(folder);
  const connection = openConnection(folder);
  const codes: (number | "works")[] = [];
  let logCode: number | undefined;
  const writer = createGroupCommit(folder, {
    ...connection,
    transact(jobs) {
      const code = codes.shift() ?? "works";
      if (code !== "works") throw Object.assign(new Error("as ordered"), { errcode: code });
      return connection.transact(jobs);
    },
    recycleLog() {
      if (logCode !== undefined) throw Object.assign(new Error("as ordered"), { errcode: logCode });
      connection.recycleLog();
    },
  });
  onTestFinished(() => {
    writer.close();
    rmSync(folder, { recursive: true });
  });
  const failLog = (code: number): void => void (logCode = code);
  return { writer, connection, folder, failLog, fail: (...next: (number | "works")[]) => codes.push(...next) };
}

describe("a group of writes", () => {
  it("is refused as a whole while another program holds the lock", () => {
    const { writer, fail } = onFailingDisk();
    fail(BUSY);
    const busy = { status: "failed", failure: failures.busy };
    expect(writer.run([job("1"), job("2", true)])).toEqual([busy, busy]);
    expect(writer.run([job("1")])).toEqual([committed]);
  });

  it("is refused while the folder cannot be written, and taken again without a restart", () => {
    const { writer, fail } = onFailingDisk();
    fail(READONLY);
    expect(writer.run([job("1", true)])).toEqual([{ status: "failed", failure: failures["read-only"] }]);
    expect(writer.health()).toEqual({ writable: false, detail: "The state folder cannot be written." });
    writer.recover();
    expect(writer.health()).toEqual({ writable: true, detail: "SQLite" });
    expect(writer.run([job("1")])).toEqual([committed]);
  });

  it("keeps only what makes things safer when the disk is full, each answer in its place", () => {
    const { writer, fail, folder } = onFailingDisk();
    const full = { status: "failed", failure: failures.full };
    fail(FULL);
    expect(writer.run([job("1"), job("2", true), job("3"), job("4", true)])).toEqual([
      full,
      committed,
      full,
      committed,
    ]);
    expect(existsSync(join(folder, "reserve.bin"))).toBe(false);
    expect(writer.health().writable).toBe(false);
    writer.recover(); // this disk has room
    expect(existsSync(join(folder, "reserve.bin"))).toBe(true);
    expect(writer.run([job("1"), job("3")])).toEqual([committed, committed]);
  });

  it("is refused altogether when the ballast is used up too", () => {
    const { writer, fail } = onFailingDisk();
    fail(FULL, FULL);
    const full = { status: "failed", failure: failures.full };
    expect(writer.run([job("1", true), job("2")])).toEqual([full, full]);
  });

  it("is written without the one that cannot be written at all", () => {
    const { writer, fail } = onFailingDisk();
    fail(CONSTRAINT, "works", CONSTRAINT, "works");
    const broken = { status: "broken", message: "as ordered" };
    expect(writer.run([job("1"), job("2"), job("3")])).toEqual([committed, broken, committed]);
  });

  it("[SC-04] is answered before the log is moved into the database, and an fsync that fails there ends everything", () => {
    const { writer, connection, failLog } = onFailingDisk();
    failLog(IOERR_FSYNC);
    const long = (n: number): Job => {
      const commit = create(sid(`${n}`));
      return { kind: "commit", vital: false, commit: { ...serialised(commit), events: ["x".repeat(500_000)] } };
    };
    for (let n = 0; n < LOG_JOBS && !connection.isLogLong(); n++) expect(writer.run([long(n)])).toEqual([committed]);
    expect(() => writer.moveLog()).toThrow("as ordered");
  });

  it("goes on after the log was moved into the database, and then begins it anew", () => {
    const { connection, writer } = onFailingDisk();
    expect(connection.isLogLong()).toBe(false);
    for (let n = 0; !connection.isLogLong(); n++)
      connection.transact([
        { ...job(`${n}`), commit: { ...serialised(create(sid(`${n}`))), events: ["x".repeat(500_000)] } } as Job,
      ]);
    writer.moveLog();
    expect(connection.isLogLong()).toBe(true); // moved, and not written over yet
    expect(writer.run([job("next")])).toEqual([committed]);
    expect(connection.isLogLong()).toBe(false);
  });

  it("leaves a short log alone while others may come, and moves it at rest", () => {
    const { connection, writer } = onFailingDisk();
    for (let n = 0; !connection.isLogLong(PAGES_AT_REST); n++)
      connection.transact([
        { ...job(`${n}`), commit: { ...serialised(create(sid(`${n}`))), events: ["x".repeat(500_000)] } } as Job,
      ]);
    writer.moveLog();
    expect(writer.run([job("next")])).toEqual([committed]);
    expect(connection.isLogLong(PAGES_AT_REST)).toBe(true); // it was written on at its end
    writer.moveLog(PAGES_AT_REST);
    expect(writer.run([job("anew")])).toEqual([committed]);
    expect(connection.isLogLong(PAGES_AT_REST)).toBe(false);
  });

  it("is never acknowledged when an fsync failed", () => {
    const { writer, fail } = onFailingDisk();
    fail(IOERR_FSYNC);
    expect(() => writer.run([job("1")])).toThrow("as ordered");
  });
});
