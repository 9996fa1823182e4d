/** PostgreSQL for tests: the one server of this test run, and a schema or a database for each test that asks. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

/** For a whole gateway, which names its own schema. */
export async function freshDatabase(server: string): Promise<string> {
  const name = `db_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Where a gateway of this database may live. */
export async function gatewayPlace(folder: string, url: string): Promise<{ home: string; workspace: string }> {
  const home = join(folder, "home");
  const workspace = join(folder, "work");
  await mkdir(workspace, { recursive: true });
  await mkdir(home, { recursive: true, mode: 0o700 });
  const config = {
    store: { kind: "postgres", url },
    agents: { defaults: { planMode: { enabled: true, defaultActive: true } } },
  };
  await writeFile(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 });
  return { home, workspace };
}
