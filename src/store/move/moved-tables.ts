/** The tables of a store as a move sees them: rows to read on one side and to write on the other, in both dialects alike. */

/** Every table of the schema; a test compares the list with it, since what is missing here would be lost by a move. */
export const MOVED_TABLES = [
  "sessions",
  "events",
  "outbox",
  "order_lanes",
  "timers",
  "artifacts",
  "idempotency",
  "tokens",
  "passkeys",
  "challenges",
  "audit",
  "audit_head",
  "subscribers",
  "deliveries",
  "surface_accounts",
  "channel_notes",
  "command_owners",
  "deleted_sessions",
  "blobs",
  "search_documents",
  "meta",
] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Tables that number their rows by themselves, with the column. A number that was used once is not used again. */
export const NUMBERED: Partial<Record<MovedTable, string>> = { events: "cursor", outbox: "id", artifacts: "seq" };

/** What a store says about itself, which the other one says differently. */
export const OWN_META = ["schema", "copied", "moved"] as const;

/** A search document's terms are a list; everything else is a text, a whole number or nothing. */
export type Cell = string | number | null | readonly string[];
export type Row = readonly Cell[];
export type Page = { columns: readonly string[]; rows: readonly Row[] };

export type TableSource = {
  pages(table: MovedTable): AsyncIterable<Page> | Iterable<Page>;
  /** The highest number that the table has ever given to a row, as far as it knows. */
  lastNumber(table: MovedTable): Promise<number>;
};

/** The side that is left behind. */
export type RetiringSource = TableSource & {
  /** From then on no gateway opens it; `where`: when and to which store it was moved. */
  retire(where: string): Promise<void>;
};

export type TableTarget = RetiringSource & {
  /** Replaces what stands there from the beginning: the head of an empty chain. */
  clear(table: MovedTable): Promise<void>;
  write(table: MovedTable, page: Page): Promise<void>;
  setLastNumber(table: MovedTable, last: number): Promise<void>;
};
