/** sqlite3 with -readonly: only queries, and only dot-commands that print. */
import { emitWord } from "../emit.ts";
import type { Call } from "../rules/rule.ts";
import type { Shape } from "../shape.ts";
import { staticText, text } from "../command-tree.ts";
import type { Simple, Word } from "../command-tree.ts";
import { stop } from "../verdict.ts";

const DOT_COMMAND =
  /^\.(?:tables|schema|indexes|indices|databases|headers|header|mode|width|nullvalue|separator|dbinfo|fullschema|help|version|show)\b[^;|\n]*$/;
const QUERY =
  /^\s*(?:select|with|explain|values|pragma\s+(?:table_info|table_list|table_xinfo|index_list|index_info|foreign_key_list|database_list|compile_options|user_version|schema_version|page_count|page_size|encoding|integrity_check|quick_check)\b[^=]*$)/i;
const FORBIDDEN =
  /\b(?:load_extension|writefile|edit|attach|detach|vacuum|insert|update|delete|drop|alter|create|replace\s+into|reindex|fts3_tokenizer)\b/i;

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g;

/** What is quoted or a comment holds no statement; a quote that does not end may hold anything. */
const withoutQuotes = (sql: string): string => {
  const rest = sql.replace(QUOTED, (quoted) => (/^(?:--|\/\*)/.test(quoted) ? " " : " x "));
  return /['"`[\]]|\/\*/.test(rest) ? stop("script", `sqlite3 ${sql}`) : rest;
};

const statementIsRead = (statement: string): boolean => QUERY.test(statement) && !FORBIDDEN.test(statement);

export const checkSqlite = (call: Call): void => {
  const [, ...commands] = call.operands;
  if (commands.length === 0) stop("missing-option", "sqlite3 needs a query", "Give the query as an argument.");
  for (const command of commands) {
    const sql = command.text ?? stop("script", "sqlite3", "Write the query literally.");
    if (sql.startsWith(".")) {
      if (!DOT_COMMAND.test(sql)) stop("script", `sqlite3 ${sql}`);
      continue;
    }
    const statements = withoutQuotes(sql)
      .split(";")
      .filter((statement) => statement.trim() !== "");
    if (sql.includes("\n.") || !statements.every(statementIsRead)) stop("script", `sqlite3 ${sql}`);
  }
};

const simple = (...words: readonly string[]): Simple => ({
  type: "simple",
  assignments: [],
  words: words.map(text),
  redirections: [],
});

/** No file on disk stands behind these. */
const IN_MEMORY: ReadonlySet<string> = new Set(["", ":memory:"]);

/**
 * A database with a write-ahead log gets two files beside it from whoever opens it, -readonly or not. Where a log lies,
 * its index is opened for reading only; where none lies, the file is declared to be at rest.
 */
const atRest = (path: string): Word => {
  const escaped = path.replace(/^\/+/, "/").replaceAll(/[%?#]/g, encodeURIComponent);
  return {
    parts: [
      { type: "text", value: `file:${escaped}?` },
      {
        type: "substitution",
        quoted: true,
        body: [
          {
            type: "and-or",
            items: [
              simple("test", "-e", `${path}-wal`),
              simple("echo", "readonly_shm=1"),
              simple("echo", "immutable=1"),
            ],
            operators: ["&&", "||"],
          },
        ],
      },
    ],
  };
};

/** The path in a word that `atRest` made, because the gate must accept its own output. */
const madeFrom = ({ parts: [, option] }: Word): string | undefined => {
  const choice = option?.type === "substitution" ? option.body[0] : undefined;
  const asked = choice?.type === "and-or" ? choice.items[0] : undefined;
  const log = asked?.type === "simple" ? asked.words[2] : undefined;
  return log === undefined ? undefined : staticText(log)?.replace(/-wal$/, "");
};

const opened = ({ word, text: path, prefix }: Shape): Word => {
  if (path === undefined) {
    const again = atRest(madeFrom(word) ?? "");
    if (emitWord(again) === emitWord(word)) return again;
    return stop("dynamic-word", `sqlite3 ${prefix}…`, "Write the name of the file literally.");
  }
  if (IN_MEMORY.has(path)) return text(path);
  if (/^file:/i.test(path)) stop("operand", `sqlite3 ${path}`, "Give the path of the file, not a URI.");
  return atRest(path);
};

export const rewriteSqlite = (call: Call): readonly Word[] => {
  const [database] = call.operands;
  return call.shapes.map((shape) => (shape === database ? opened(shape) : shape.word));
};
