/** Configuration, tokens, audit and backup: what is kept outside any session. Every change of it leaves an audit row. */
import { mkdir } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ConfigError, describeProblem } from "../../config/config-error.ts";
import type { LiveConfig } from "../../config/live-config.ts";
import type { Clock } from "../../engine/clock.ts";
import type { MethodTable, OperatorActor } from "../../http/method-table.ts";
import { settingPath } from "../../config/edit-setting.ts";
import { withoutPluginSecrets } from "../../config/secrets.ts";
import { actorKey, hasScope, type Scope } from "../../protocol/actor.ts";
import type { Json } from "../../protocol/json.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import { isInside, locate } from "../../tools/builtin/workspace-path.ts";
import type { BrowserLogins } from "../login/browser-logins.ts";
import type { Tokens } from "../tokens.ts";
import { StoreRefused, storeRefusal } from "./store-refusal.ts";

export type ConfigPort = Pick<LiveConfig, "get" | "set" | "unset" | "schema">;

export type Loosening = {
  /** An undefined value is taken away. */
  setting(actor: OperatorActor, change: { path: string; value: Json | undefined }): Promise<Refused | undefined>;
  token(actor: OperatorActor, token: { name: string; scopes: readonly Scope[] }): Refused | undefined;
};

export type RecordParts = {
  store: Store;
  config: ConfigPort;
  tokens: Tokens;
  logins: Pick<BrowserLogins, "link">;
  clock: Clock;
  page?(): string | undefined;
  /** Why somebody who could not have approved may not loosen what holds agents (PL-19). Absent: nothing is limited. */
  loosening?: Loosening | undefined;
  /** Where backups may go; the first is where they go by default. */
  backupFolders(): readonly [string, ...string[]];
};

type RecordMethods = Pick<
  MethodTable,
  Extract<keyof MethodTable, `config.${string}` | `tokens.${string}` | `audit.${string}` | `backup.${string}`>
>;

export function recordMethods(parts: RecordParts): RecordMethods {
  const { store, config, tokens, clock } = parts;
  const record = async (actor: OperatorActor, fact: OwnFact): Promise<Refused | undefined> =>
    storeRefusal(await store.audit({ atMs: clock.now(), actor: actorKey(actor), facts: [fact] }));

  return {
    "config.get": async ({ path }, { actor }) =>
      explained(async () => {
        const { value, file } = config.get(path);
        const show = { plugins: hasScope(actor.scopes, "operator.admin") };
        const keys = path === undefined || path === "" ? [] : settingPath(path).map(String);
        return { value: withoutPluginSecrets(value, keys, show), file };
      }),
    "config.schema": async () => ({ schema: config.schema() }),
    "config.set": async ({ path, value }, { actor }) =>
      explained(async () => {
        const refused = await parts.loosening?.setting(actor, { path, value });
        if (refused !== undefined) return refused;
        const change = await config.set(path, value);
        return (await record(actor, { type: "config.set", detail: { path } })) ?? change;
      }),
    "config.unset": async ({ path }, { actor }) =>
      explained(async () => {
        const refused = await parts.loosening?.setting(actor, { path, value: undefined });
        if (refused !== undefined) return refused;
        const change = await config.unset(path);
        return (await record(actor, { type: "config.unset", detail: { path } })) ?? change;
      }),
    "tokens.create": async ({ name, scopes }, { actor }) =>
      explained(
        async () =>
          parts.loosening?.token(actor, { name, scopes }) ?? tokens.create({ name, scopes, by: actorKey(actor) }),
      ),
    async "tokens.link"({ scopes }, { actor }) {
      const page = parts.page?.();
      return explained(async () => ({
        ...(await parts.logins.link(actor, scopes)),
        ...(page === undefined ? {} : { page }),
      }));
    },
    "tokens.list": async () => ({ tokens: await tokens.list() }),
    "tokens.revoke": async ({ id }, { actor }) =>
      explained(async () => {
        const revoked = await tokens.revoke(id, actorKey(actor));
        return "refused" in revoked ? revoked : { token: revoked };
      }),
    async "audit.list"({ afterSeq, before, limit, sessionId }) {
      const page = { limit, ...(sessionId === undefined ? {} : { sessionId }) };
      if (before === undefined) return { rows: await store.auditRows({ afterSeq, ...page }) };
      return { rows: await store.auditRowsBefore({ beforeSeq: before, ...page }) };
    },
    "audit.verify": async () => ({ verdict: await store.verifyAudit() }),
    async "backup.create"({ path }, { actor }) {
      const target = await backupTarget(path, parts);
      if (typeof target !== "string") return target;
      const made = await copied(store, target);
      if ("refused" in made) return made;
      const { bytes } = made;
      return (
        (await record(actor, { type: "backup.created", detail: { path: target, bytes } })) ?? { path: target, bytes }
      );
    },
  };
}

/** A gateway writes with its own rights, so it writes backups only where its owner said so. */
async function backupTarget(path: string | undefined, parts: RecordParts): Promise<string | Refused> {
  const folders = parts.backupFolders();
  if (path === undefined) return join(folders[0], backupName(parts.clock.now()));
  if (!isAbsolute(path)) return RELATIVE_PATH;
  for (const folder of folders) {
    if (!isInside(folder, resolve(path))) continue;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await locate(path, { workspace: folder, protectedFolders: [] }); // no link leads out of it
    if (found.ok) return found.path;
  }
  return refuse("FORBIDDEN", notAllowed(folders), { path: "path" });
}

const notAllowed = (folders: readonly string[]): string =>
  `backup.create: backups go into ${folders.join(", ")}. Name a file there, or allow another folder: backups.folders.`;

/** Every failure of a backup lies outside: the disk, the name, or a store that has backup tools of its own. */
async function copied(store: Store, path: string): Promise<{ bytes: number } | Refused> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await store.backup(path);
  } catch (error) {
    return refuse("STORE_UNAVAILABLE", error instanceof Error ? error.message : String(error), { path });
  }
}

/** Invalid configuration and a failed write are refusals; everything else is a bug. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefused) return { refused: error.refusal };
    if (!(error instanceof ConfigError)) throw error;
    return refuse("CONFIG_INVALID", error.problems.map(describeProblem).join("\n"), {
      problems: error.problems.map((problem) => ({ ...problem })),
    });
  }
}

const RELATIVE_PATH = refuse("INVALID_REQUEST", "backup.create: path: give the whole path.", { path: "path" });

const backupName = (atMs: number): string => `holdpoint-${new Date(atMs).toISOString().replaceAll(":", "-")}.db`;
