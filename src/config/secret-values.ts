/** The secrets that this gateway works with, by value, so that they can be kept out of what others read. */
import { readFileSync, statSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { type Environment, operatorTokenFile, secretsFile } from "./home.ts";

/** As in `ANTHROPIC_API_KEY`, `x-api-key`, `authorization`, `clientSecret`. */
const SECRET_NAME = /(?:^|[_-]|[a-z])(?:api[_-]?key|key|token|secret|password|passwd|credentials?)$|^authorization$/i;
const SCHEME = /^(?:bearer|basic|token)\s+/i;
/** Many variables are named like a secret and hold something short that occurs elsewhere. */
const ENVIRONMENT_CHARS_MIN = 16;
const DEPTH_MAX = 12;

const Table = z.record(z.string(), z.unknown());

export type SecretSources = { home: string; env: Environment; config(): unknown };

/** Looked up at each use: keys change while the gateway runs. */
export function secretValues({ home, env, config }: SecretSources): () => readonly string[] {
  const inFile = valuesInFile(secretsFile(home), valuesIn);
  const own = valuesInFile(operatorTokenFile(home), lineIn);
  const inEnvironment = Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= ENVIRONMENT_CHARS_MIN ? [value] : [],
  );
  let known: { config: unknown; values: string[] } = { config: undefined, values: [] };
  return () => {
    const now = config();
    if (known.config !== now) known = { config: now, values: named(now, "", 0) };
    return [...inFile(), ...own(), ...inEnvironment, ...known.values];
  };
}

function valuesInFile(file: string, valuesOf: (file: string) => string[]): () => readonly string[] {
  let seen = "";
  let values: readonly string[] = [];
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    const stamp = found === undefined ? "" : `${found.mtimeMs} ${found.size}`;
    if (stamp === seen) return values;
    seen = stamp;
    const read = stamp === "" ? [] : valuesOf(file);
    values = [...new Set([...values, ...read])]; // a key that was taken out may still be printed
    return values;
  };
}

function lineIn(file: string): string[] {
  try {
    return [readFileSync(file, "utf8").trim()].filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** What is wrong with the file is reported by whoever needs a key of it. */
function valuesIn(file: string): string[] {
  try {
    const table = Table.parse(
      parse(readFileSync(file, "utf8"), { schema: "core", maxAliasCount: 0, logLevel: "error" }),
    );
    return Object.values(table).filter((value) => typeof value === "string");
  } catch {
    return [];
  }
}

function named(value: unknown, name: string, depth: number): string[] {
  if (typeof value === "string") return secretIn(value, name);
  if (value === null || typeof value !== "object" || depth >= DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([key, item]) => named(item, Array.isArray(value) ? name : key, depth + 1));
}

function secretIn(value: string, name: string): string[] {
  if (value.includes("${")) return []; // it names a secret and is none
  if (SECRET_NAME.test(name)) return [value.replace(SCHEME, "")];
  if (name !== "url" || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  return password === "" ? [] : [password, safelyDecoded(password)];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
