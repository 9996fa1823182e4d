/** The configuration as it may be shown. */
import { Json } from "../protocol/json.ts";
import type { Config } from "./schema.ts";

const MASK = "***";

/** A copy without secrets: the password of the store's address. */
export function withoutSecrets(config: Config): Json {
  const { store } = config;
  const shown = store.kind === "postgres" ? { ...config, store: { ...store, url: maskUrl(store.url) } } : config;
  return Json.parse(JSON.parse(JSON.stringify(shown)));
}

function maskUrl(text: string): string {
  if (!URL.canParse(text)) return MASK; // whatever it is, nobody can say where the secret ends
  const url = new URL(text);
  if (url.password !== "") url.password = MASK;
  for (const name of url.searchParams.keys().toArray()) {
    if (/pass|secret|token|key$/i.test(name)) url.searchParams.set(name, MASK);
  }
  return url.href;
}

/** Somebody writes back what they were shown: the secret would be lost. */
export const isMasked = (value: Json): boolean => typeof value === "string" && /(?:^|:|=)\*{3}(?:$|@|&)/.test(value);
