/** Which hosts a kept program may reach: its model's at any time, and those of the plan once it is approved. */
import { isIP } from "node:net";
import type { Environment } from "../../../config/home.ts";

/** `port`: absent for any. A name that begins with a dot stands for all below it. */
export type AllowedHost = { name: string; port?: number };

const NAME = /^\.?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** As a person writes it: a name, a name with a port, or an address. Undefined: it is none. */
export function hostNamed(text: string): AllowedHost | undefined {
  const bare = /^https?:\/\//i.test(text) ? hostOfUrl(text) : text.toLowerCase();
  const [, name = "", port] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const plain = name.replaceAll(/^\[|\]$/g, "");
  if (isIP(plain) === 0 && !NAME.test(plain)) return undefined;
  return port === undefined ? { name: plain } : { name: plain, port: Number(port) };
}

function hostOfUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

/** Variables by which people tell an agent where its model is. */
const BASE_URLS = [
  "ANTHROPIC_BASE_URL",
  "OPENAI_BASE_URL",
  "OPENAI_API_BASE",
  "GOOGLE_GEMINI_BASE_URL",
  "GEMINI_BASE_URL",
  "COPILOT_PROVIDER_BASE_URL",
  "OLLAMA_HOST",
];

export const hostsOfModel = (known: readonly string[], env: Environment): AllowedHost[] =>
  [...known, ...BASE_URLS.flatMap((name) => env[name] || [])].flatMap((text) => hostNamed(text) ?? []);

export const isAllowed = (host: string, port: number, allowed: readonly AllowedHost[]): boolean =>
  allowed.some(
    (one) =>
      (one.port === undefined || one.port === port) &&
      (one.name.startsWith(".") ? host.endsWith(one.name) : host === one.name),
  );

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** A model on this machine: its port is served inside as it is outside. */
export const isOfThisMachine = ({ name }: AllowedHost): boolean => LOOPBACK.test(name);
