/** Keys of model providers and the like: `<home>/secrets.yaml`, one `NAME: value` a line, readable by its owner alone. */
import { readFile, stat } from "node:fs/promises";
import { parse, parseDocument } from "yaml";
import { z } from "zod";
import { writeAtomically } from "./atomic-write.ts";
import { ConfigError } from "./config-error.ts";
import type { Environment } from "./home.ts";
import { secretsFile } from "./home.ts";

const SECRETS_BYTES_MAX = 65_536;
const OTHERS = 0o077;

const Secrets = z.record(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/), z.string());

/** The environment first, then the file. Read at each use, so that a new key needs no restart. */
export async function findSecret(name: string, at: { home: string; env: Environment }): Promise<string | undefined> {
  const given = at.env[name];
  if (given !== undefined && given !== "") return given;
  return (await readSecrets(at.home))[name];
}

/** Throws a ConfigError that never repeats what stands in the file. */
export async function readSecrets(home: string): Promise<Readonly<Record<string, string>>> {
  const file = secretsFile(home);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return {};
  if (process.platform !== "win32" && (found.mode & OTHERS) !== 0) {
    throw wrong(file, `Others can read it, so no key in it is used. Take their rights away: chmod 600 ${file}`);
  }
  if (found.size > SECRETS_BYTES_MAX) throw wrong(file, `It is larger than ${SECRETS_BYTES_MAX} bytes.`);
  const secrets = Secrets.safeParse(parsed(await readFile(file, "utf8")) ?? {});
  if (!secrets.success) throw wrong(file, "Expected one NAME: value a line, as in ANTHROPIC_API_KEY: sk-…");
  return secrets.data;
}

/** Adds one, or replaces it; the rest of the file stays as it is. Others cannot read what is written. */
export async function saveSecret(home: string, { name, value }: { name: string; value: string }): Promise<void> {
  const known = await readSecrets(home); // a file that cannot be used is not written over
  const file = secretsFile(home);
  const text = Object.keys(known).length === 0 ? "" : await readFile(file, "utf8");
  const document = parseDocument(text);
  document.set(name, value);
  await writeAtomically(file, document.toString());
}

/** Not the parser's own words: they quote the line. */
function parsed(text: string): unknown {
  try {
    return parse(text, { schema: "core", maxAliasCount: 0, logLevel: "error" });
  } catch {
    return "unreadable";
  }
}

const wrong = (file: string, message: string): ConfigError =>
  new ConfigError([{ source: file, line: null, column: null, path: "", message }]);
