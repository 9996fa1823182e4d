import type { Call } from "../rules/rule.ts";
import { stop } from "../verdict.ts";

/** sqlite3 with -readonly: only queries, and only dot-commands that print. */

const DOT_COMMAND =
  /^\.(?:tables|schema|indexes|indices|databases|headers|header|mode|width|nullvalue|separator|dbinfo|fullschema|help|version|show)\b[^;|]*$/;
const QUERY =
  /^\s*(?:select|with|explain|values|pragma\s+(?:table_info|table_list|table_xinfo|index_list|index_info|foreign_key_list|database_list|compile_options|user_version|schema_version|page_count|page_size|encoding|integrity_check|quick_check)\b[^=]*$)/i;
const FORBIDDEN =
  /\b(?:load_extension|writefile|edit|attach|detach|vacuum|insert|update|delete|drop|alter|create|replace\s+into|reindex|fts3_tokenizer)\b/i;

const statementIsRead = (statement: string): boolean => QUERY.test(statement) && !FORBIDDEN.test(statement);

export const checkSqlite = (call: Call): void => {
  const [, ...commands] = call.operands;
  if (commands.length === 0) stop("missing-option", "sqlite3 needs a query", "Give the query as an argument.");
  for (const { text } of commands) {
    const sql = text ?? stop("script", "sqlite3", "Write the query literally.");
    if (sql.startsWith(".")) {
      if (!DOT_COMMAND.test(sql)) stop("script", `sqlite3 ${sql}`);
      continue;
    }
    const statements = sql.split(";").filter((statement) => statement.trim() !== "");
    if (sql.includes("\n.") || !statements.every(statementIsRead)) stop("script", `sqlite3 ${sql}`);
  }
};
