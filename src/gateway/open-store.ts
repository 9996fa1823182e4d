import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import type { Store } from "../store/store.ts";

/** The store cannot be opened. The message is for the person at the machine; the cause is kept. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** The store that the configuration names. Its adapter is loaded only when it is the one in use. */
export async function openStore(config: Config, at: { home: string; onFatal(error: Error): void }): Promise<Store> {
  switch (config.store.kind) {
    case "sqlite": {
      const { openSqliteStore } = await import("../store/sqlite/sqlite-store.ts");
      const folder = join(at.home, "store");
      return openSqliteStore({ folder, onFatal: at.onFatal }).catch((cause: unknown) => unusable(folder, cause));
    }
    case "postgres": {
      const { openPostgresStore } = await import("../store/postgres/postgres-store.ts");
      return openPostgresStore({ url: config.store.url }).catch((cause: unknown) => unusable("PostgreSQL", cause));
    }
  }
}

/** An address is not repeated, since it may hold a password. */
function unusable(place: string, cause: unknown): never {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  throw new StoreError(`The store cannot be opened (${place}): ${reason}.`, { cause });
}
