/** The runs that opencode keeps in a database of its own, which is only read, and the tool calls in them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import type { Person, Transcript } from "./transcript.ts";

/** In its mode of writing a reader waits for nobody. */
const BUSY_MS = 50;
const SESSIONS_MAX = 500;
const PARTS_MAX = 5_000;

const SESSIONS = `SELECT id, directory, time_created AS born, time_updated AS changed FROM session
  WHERE time_updated >= ? ORDER BY time_updated DESC LIMIT ${SESSIONS_MAX}`;

/** What a person runs with `!` stands in a message that no model began. */
const CALLS = `SELECT id, time_created AS made FROM part AS call
  WHERE session_id = ? AND time_created > ? AND json_extract(data, '$.type') = 'tool' AND EXISTS
    (SELECT 1 FROM part WHERE message_id = call.message_id AND session_id = call.session_id
      AND json_extract(data, '$.type') = 'step-start')
  ORDER BY time_created LIMIT ${PARTS_MAX}`;

const Session = z.object({ id: z.string(), directory: z.string(), born: z.int(), changed: z.int() });
const Call = z.object({ id: z.string(), made: z.int() });

export async function opencodeTranscripts({ home, env }: Person, sinceMs: number): Promise<Transcript[]> {
  const file = join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "opencode", "opencode.db");
  if (!existsSync(file)) return [];
  const { DatabaseSync } = await import("node:sqlite");
  /** A version that keeps its runs otherwise says nothing that could be counted. */
  function rows<Shape extends z.ZodType>(shape: Shape, sql: string, values: (string | number)[]): z.infer<Shape>[] {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
      return z.array(shape).parse(db.prepare(sql).all(...values));
    } catch {
      return [];
    } finally {
      db?.close();
    }
  }
  return rows(Session, SESSIONS, [sinceMs]).map(({ id, directory, born, changed }) => ({
    agent: "opencode",
    session: id,
    bornMs: born,
    end: changed,
    async callsFrom(place) {
      const found = rows(Call, CALLS, [id, place]);
      return { calls: found.map((call) => call.id), next: found.at(-1)?.made ?? place };
    },
    folder: async () => directory,
  }));
}
