/** Opens the store that the configuration names. */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { RefusalError } from "../protocol/refusal.ts";
import type { PostgresOptions } from "../store/postgres/connections.ts";
import type { Store } from "../store/store.ts";

/** The store cannot be opened. The message is for the person at the machine; the cause is kept. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** Its server is not there, or not yet: nothing is wrong with what it holds. */
  readonly isUnreachable: boolean;

  constructor(message: string, { isUnreachable = false, ...options }: ErrorOptions & { isUnreachable?: boolean } = {}) {
    super(message, options);
    this.isUnreachable = isUnreachable;
  }
}

export type OpenStore = (at: StorePlace) => Promise<Store>;
export type StorePlace = Pick<PostgresOptions, "local" | "patience" | "onReach"> & {
  home: string;
  onFatal(error: Error): void;
};

/** How to open the configured store. Only the adapter in use is loaded. */
export async function loadStore({ store }: Pick<Config, "store">): Promise<OpenStore> {
  switch (store.kind) {
    case "sqlite": {
      const { openSqliteStore } = await import("../store/sqlite/sqlite-store.ts");
      return ({ home, onFatal }) => {
        const folder = join(home, "store");
        return openSqliteStore({ folder, onFatal }).catch((cause: unknown) => unusable(folder, cause));
      };
    }
    case "postgres": {
      const { openPostgresStore } = await import("../store/postgres/postgres-store.ts");
      return ({ home: _home, onFatal: _onFatal, ...place }) =>
        openPostgresStore({ url: store.url, ...place }).catch((cause: unknown) => unusable("PostgreSQL", cause));
    }
  }
}

/** An address is not repeated, since it may hold a password. */
function unusable(place: string, cause: unknown): never {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  if (cause instanceof RefusalError && cause.refusal.retry === true)
    throw new StoreError(`${reason}.`, { cause, isUnreachable: true });
  throw new StoreError(`The store cannot be opened (${place}): ${reason}.`, { cause });
}
