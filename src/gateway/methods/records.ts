/** Configuration, tokens, audit and backup: what is kept outside any session. Every change of it leaves an audit row. */
import { mkdir } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { ConfigError, describeProblem } from "../../config/config-error.ts";
import type { LiveConfig } from "../../config/live-config.ts";
import type { Clock } from "../../engine/clock.ts";
import type { MethodTable, OperatorActor } from "../../http/method-table.ts";
import { actorKey, type Scope } from "../../protocol/actor.ts";
import type { Json } from "../../protocol/json.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
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
  /** Why somebody who could not have approved may not loosen what holds agents (PL-19). Absent: nothing is limited. */
  loosening?: Loosening | undefined;
  /** Where backups go by default. */
  backupFolder(): string;
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
    "config.get": async ({ path }) => explained(async () => config.get(path)),
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
    "tokens.link": async ({ scopes }, { actor }) => parts.logins.link(actor, scopes),
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
      if (path !== undefined && !isAbsolute(path)) return RELATIVE_PATH;
      const target = path ?? join(parts.backupFolder(), backupName(clock.now()));
      const made = await copied(store, target);
      if ("refused" in made) return made;
      const { bytes } = made;
      return (
        (await record(actor, { type: "backup.created", detail: { path: target, bytes } })) ?? { path: target, bytes }
      );
    },
  };
}

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
