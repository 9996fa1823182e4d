/** `holdpoint migrate-store`: copies the store into another, compares both, and only then changes the configuration. */
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Config } from "../../config/config.ts";
import { setSetting } from "../../config/edit-setting.ts";
import { configFile, homePath } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { loadStore } from "../../gateway/open-store.ts";
import { copyTables, type Moved, MoveError } from "../../store/move/copy-tables.ts";
import type { TableTarget } from "../../store/move/moved-tables.ts";
import { claimFolder } from "../../store/sqlite/claim-folder.ts";
import { localTime } from "../../store/store-time.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";

type StoreSetting = Config["store"];

const SCHEMA = "holdpoint";

export async function migrateStore(target: string, context: CommandContext): Promise<void> {
  const { output, env } = context;
  const home = homePath(env);
  const to = settingOf(target === "-" ? (await text(context.stdin)).trim() : target);
  const claim = claimFolder(home, { pid: process.pid });
  if ("heldByPid" in claim) throw running(claim.heldByPid);
  try {
    const { config, overriddenBy } = await loadConfig(home, env);
    if (overriddenBy["store.url"] !== undefined) throw overridden(overriddenBy["store.url"]);
    if (config.store.kind === to.kind) throw same(to.kind);
    const moved = await move(home, config.store, to);
    await setSetting(configFile(home), "store", to);
    output.document({ from: config.store.kind, to: to.kind, tables: moved });
    output.lines(said(moved, config.store.kind, to.kind));
  } finally {
    claim.release();
  }
}

async function move(home: string, from: StoreSetting, to: StoreSetting): Promise<Moved[]> {
  try {
    for (const store of [from, to]) await broughtUpToDate(home, store);
    return await withTables(home, from, async (source) => {
      const moved = await withTables(home, to, (target) => copyTables(source, target));
      await source.retire(`to ${to.kind}, ${new Date().toISOString()}`); // once the copy is there, and only then
      return moved;
    });
  } catch (error) {
    if (!(error instanceof MoveError)) throw error;
    throw new CliError({
      exit: "failed",
      message: error.message,
      advice: "Nothing was changed: the gateway still uses the store that it used before.",
      code: "STORE_NOT_MOVED",
    });
  }
}

/** Opened as a gateway opens it: damage is refused here, and the tables get their newest form. The old chain must be whole. */
async function broughtUpToDate(home: string, store: StoreSetting): Promise<void> {
  const open = await loadStore({ store });
  const opened = await open({ home, onFatal: () => undefined, local: localTime, patience: PATIENCE });
  try {
    const verdict = await opened.verifyAudit();
    if (!verdict.intact) throw new MoveError("The audit chain is broken. See: holdpoint audit verify");
  } finally {
    await opened.close();
  }
}

const PATIENCE = { waitMs: 0, connectMsMax: 3_000, onWaiting: () => undefined };

async function withTables<T>(home: string, store: StoreSetting, work: (tables: TableTarget) => Promise<T>): Promise<T> {
  if (store.kind === "postgres") {
    const { withPostgresTables } = await import("../../store/postgres/move/postgres-tables.ts");
    return withPostgresTables({ url: store.url, schema: SCHEMA }, work);
  }
  const { withSqliteTables } = await import("../../store/sqlite/move/sqlite-tables.ts");
  return withSqliteTables(join(home, "store"), work);
}

function settingOf(target: string): StoreSetting {
  if (target === "sqlite") return { kind: "sqlite" };
  if (/^postgres(?:ql)?:\/\//.test(target)) return { kind: "postgres", url: target };
  throw new CliError({
    exit: "usage",
    message: "The new store is sqlite, or an address that begins with postgres://.",
    advice: "For instance: holdpoint migrate-store postgres://holdpoint@db.example/holdpoint",
    code: "USAGE",
  });
}

const said = (moved: readonly Moved[], from: string, to: string): string[] => {
  const rows = moved.reduce((sum, one) => sum + one.rows, 0);
  return [
    `Moved ${rows} rows of ${moved.length} tables from ${from} to ${to}; each was read back and is the same.`,
    `The configuration names ${to} now. The old store keeps its rows, and no gateway opens it any more: what is decided from now on is not in it.`,
  ];
};

const running = (pid: number | null): CliError =>
  new CliError({
    exit: "stateHeld",
    message: `Process ${pid ?? "unknown"} uses this home folder.`,
    advice: "Stop the gateway first; nothing may change while its store is copied.",
    code: "STATE_HELD",
  });

const overridden = (variable: string): CliError =>
  new CliError({
    exit: "usage",
    message: `${variable} in the environment decides which store is used.`,
    advice: `Unset ${variable} and try again.`,
    code: "USAGE",
  });

const same = (kind: string): CliError =>
  new CliError({
    exit: "usage",
    message: `The gateway uses ${kind} already.`,
    advice: "A database is copied to another server with its own tools, for instance pg_dump.",
    code: "USAGE",
  });
