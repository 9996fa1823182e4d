/**
 * `holdpoint restore`: puts a backup in the place of the store. The copy is opened, checked and given its audit row in a folder
 * of its own first; then two renames exchange the folders, and the store of before is kept beside the new one.
 *
 *   backup ─copy─▶ store.restoring ─check─▶ store ─▶ store.before-<time>, then store.restoring ─▶ store
 */
import { constants, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { fileRevocations, revocationsFile } from "../../gateway/login/revocation-list.ts";
import { StoreError } from "../../gateway/open-store.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { claimFolder } from "../../store/sqlite/claim-folder.ts";
import { databasePath } from "../../store/sqlite/database-file.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { syncPath } from "../../store/sqlite/sync-path.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";

/** Whoever can write this folder; no operator is asked, since no gateway runs. */
const AT_THIS_MACHINE = "command-line";

export async function restoreStore(given: string, { output, env, cwd }: CommandContext): Promise<void> {
  const file = resolve(cwd, given);
  const home = homePath(env);
  if (!(await isFile(file))) throw missing(file);
  const claim = claimFolder(home, { pid: process.pid });
  if ("heldByPid" in claim) throw running(claim.heldByPid);
  try {
    const { config } = await loadConfig(home, env);
    if (config.store.kind !== "sqlite") throw notSqlite();
    const revocations = fileRevocations(revocationsFile(home)); // where it cannot be read, nothing is exchanged
    const fresh = join(home, "store.restoring");
    await rm(fresh, { recursive: true, force: true }); // of an attempt that was cut short
    const { auditRows, executing } = await prepare(file, fresh).catch(async (error: unknown) => {
      await rm(fresh, { recursive: true, force: true });
      throw error;
    });
    revocations.noteRestored(Date.now()); // first: a store that came back must not be older than what this says
    const kept = await exchange(home, fresh);
    output.document({
      restored: file,
      auditRows,
      ...(kept === undefined ? {} : { kept }),
      ...(executing === 0 ? {} : { executing }),
    });
    output.lines([
      `Restored ${file}: its audit chain is intact, ${auditRows} rows.`,
      ...(kept === undefined ? [] : [`The store of before is kept as ${kept}: remove it when you are sure.`]),
      "Tokens, log-ins, passkeys and paired accounts that were revoked since stay revoked (revoked.jsonl).",
      ...(executing === 0
        ? []
        : [`Approved plans that are carried out from where the copy has them: ${executing}. End one with /plan off.`]),
      "Plans that stood for scheduled jobs stand no more: how often they ran since is not in a backup. Sign them again.",
    ]);
  } finally {
    claim.release();
  }
}

/** Opened as a gateway opens it, so that whatever a gateway would refuse is refused before anything is exchanged. */
async function prepare(file: string, folder: string): Promise<{ auditRows: number; executing: number }> {
  await mkdir(folder, { mode: 0o700 });
  await copyFile(file, databasePath(folder), constants.COPYFILE_EXCL);
  readmit(databasePath(folder));
  const broken = Promise.withResolvers<never>();
  const store = await openSqliteStore({ folder, onFatal: broken.reject }).catch((cause: unknown) => {
    throw new StoreError(`${file} cannot be restored: ${reasonOf(cause)}`, { cause });
  });
  try {
    const verdict = await Promise.race([store.verifyAudit(), broken.promise]);
    if (!verdict.intact) throw altered(file, verdict.brokenAtSeq);
    const fact: OwnFact = { type: "store.restored", detail: { path: file, rows: verdict.rows } };
    await store.audit({ atMs: Date.now(), actor: AT_THIS_MACHINE, facts: [fact] });
    return { auditRows: verdict.rows, executing: (await store.sessionModes())["executing"] ?? 0 };
  } finally {
    await store.close();
  }
}

/** One that was moved to another store is taken back by whoever restores it, and the chain says so. */
function readmit(path: string): void {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    db.exec("DELETE FROM meta WHERE key = 'moved'");
  } catch {
    // what is no database, or an older one, is judged by who opens it next
  } finally {
    db?.close();
  }
}

/** A kill between the renames leaves no store: then the one of before and the new one both stand beside, by their names. */
async function exchange(home: string, fresh: string): Promise<string | undefined> {
  const store = join(home, "store");
  const kept = `${store}.before-${new Date().toISOString().replaceAll(":", "-")}`;
  const isThere = await stat(store).then(
    () => true,
    () => false,
  );
  if (isThere) await rename(store, kept);
  try {
    await rename(fresh, store);
  } catch (error) {
    if (isThere) await rename(kept, store);
    throw error;
  }
  syncPath(home);
  return isThere ? kept : undefined;
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const missing = (file: string): CliError =>
  new CliError({
    exit: "usage",
    message: `${file} is no file.`,
    advice: "Name a copy that was made with: holdpoint backup",
    code: "USAGE",
  });

const altered = (file: string, row: number): CliError =>
  new CliError({
    exit: "storeUnusable",
    message: `The audit chain of ${file} is broken at row ${row}.`,
    advice: "Nothing was changed. Try an older backup.",
    code: "AUDIT_BROKEN",
  });

const running = (pid: number | null): CliError =>
  new CliError({
    exit: "stateHeld",
    message: `Process ${pid ?? "unknown"} uses this home folder.`,
    advice: "Stop the gateway first; its store cannot be exchanged while it runs.",
    code: "STATE_HELD",
  });

const notSqlite = (): CliError =>
  new CliError({
    exit: "usage",
    message: "The store is PostgreSQL, which is restored with its own tools.",
    advice: "For instance pg_restore; then: holdpoint audit verify",
    code: "USAGE",
  });
