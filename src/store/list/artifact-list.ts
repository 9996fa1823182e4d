/** Pages of artifacts, newest first: an adapter reads rows below a number, the cursor is settled here. */
import { z } from "zod";
import { decodeCursor, encodeCursor, pageLimit } from "./page.ts";
import type { Page, StoredArtifact } from "../store.ts";

export type NumberedArtifact = { seq: number; artifact: StoredArtifact };
type RowsBelow = (seq: number | null, limit: number) => Promise<NumberedArtifact[]>;

const Key = z.tuple([z.int()]);

export async function listArtifacts(
  rowsBelow: RowsBelow,
  page: { cursor: string | null; limit: number },
): Promise<Page<StoredArtifact>> {
  const limit = pageLimit(page.limit);
  const below = page.cursor === null ? null : decodeCursor(page.cursor, Key)[0];
  const rows = await rowsBelow(below, limit + 1);
  const last = rows[limit - 1];
  const nextCursor = rows.length > limit && last !== undefined ? encodeCursor([last.seq]) : null;
  return { items: rows.slice(0, limit).map(({ artifact }) => artifact), nextCursor };
}
