/** SQL that destroys. Words count only where the text goes to a database client. */

const DESTROYS =
  /\b(?:drop\s+(?:table|database|schema|index|view|materialized|role|user|column|sequence|function|procedure|type|owned|extension|trigger|policy|tablespace|keyspace|constraint|if)\b|delete\s+from\b|truncate\s+["'`\w[]|alter\s+table\s+\S+\s+drop\b)/i;

/** A comment separates words as well as a blank does: `DROP/∗∗/TABLE`. */
const withoutComments = (sql: string): string => sql.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/--[ \t][^\n]*/g, " ");

export const sqlDestroys = (sql: string): boolean => DESTROYS.test(withoutComments(sql));
