/** What SQLite and PostgreSQL share about owners of commands: the read. */
import type { CommandOwner } from "../command-owners.ts";
import type { CommandOwnerStore } from "../store.ts";
import type { Query } from "./queries.ts";
import { sql } from "./statement.ts";

export const ownerReads = (query: Query): Pick<CommandOwnerStore, "commandOwners"> => ({
  commandOwners: () =>
    query<CommandOwner>(
      sql`SELECT root, name, plugin_id AS "pluginId", since_ms AS "sinceMs" FROM command_owners ORDER BY root`,
    ),
});
