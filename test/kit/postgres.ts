/** PostgreSQL for tests: the one server of this test run, and a schema for each test that asks. */
import { Client } from "pg";
import { inject } from "vitest";
import type { PostgresAnswer } from "./global-setup.ts";

/** Starts the server if nobody did before. Says on the error output why there is none, where there is none. */
export async function postgresUrl(): Promise<string | undefined> {
  const answer = (await (await fetch(inject("postgresDoor"))).json()) as PostgresAnswer;
  if ("url" in answer) return answer.url;
  process.stderr.write(`PostgreSQL tests are skipped: ${answer.unavailable}\n`);
  return undefined;
}

export type Schema = { url: string; schema: string; run(text: string): Promise<void>; drop(): Promise<void> };

let schemas = 0;

/** A name of its own for each test; the store creates it. */
export function freshSchema(url: string): Schema {
  const schema = `test_${process.pid}_${++schemas}`;
  const run = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: url, options: `-c search_path=${schema}` });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  return { url, schema, run, drop: () => run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`) };
}
