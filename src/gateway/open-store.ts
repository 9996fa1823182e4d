import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import type { Store } from "../store/store.ts";

/** The store that the configuration names. Its adapter is loaded only when it is the one in use. */
export async function openStore(config: Config, at: { home: string; onFatal(error: Error): void }): Promise<Store> {
  switch (config.store.kind) {
    case "sqlite": {
      const { openSqliteStore } = await import("../store/sqlite/sqlite-store.ts");
      return openSqliteStore({ folder: join(at.home, "store"), onFatal: at.onFatal });
    }
    case "postgres": {
      const { openPostgresStore } = await import("../store/postgres/postgres-store.ts");
      return openPostgresStore({ url: config.store.url });
    }
  }
}
