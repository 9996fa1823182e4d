/** The few settings that environment variables may set for one run, for containers and service files. */
import { ConfigError } from "./config-error.ts";
import { expectedAt } from "./expectation.ts";
import type { Environment } from "./home.ts";
import { Config } from "./config.ts";

type Override = { variable: string; path: string; apply(config: Config, text: string): unknown };

/** The documented list; no other variable changes the configuration. */
const ENVIRONMENT_OVERRIDES: readonly Override[] = [
  {
    variable: "HOLDPOINT_HOST",
    path: "gateway.host",
    apply: (config, text) => ({ ...config, gateway: { ...config.gateway, host: text } }),
  },
  {
    variable: "HOLDPOINT_PORT",
    path: "gateway.port",
    apply: (config, text) => ({
      ...config,
      gateway: { ...config.gateway, port: /^\d{1,5}$/.test(text) ? Number(text) : text },
    }),
  },
  {
    variable: "HOLDPOINT_STORE_URL",
    path: "store.url",
    apply: (config, text) => ({ ...config, store: storeOf(text) }),
  },
  {
    variable: "HOLDPOINT_LOG_LEVEL",
    path: "logging.level",
    apply: (config, text) => ({ ...config, logging: { ...config.logging, level: text } }),
  },
];

/** The store's value for `sqlite` or a PostgreSQL address; anything else is left for the schema to refuse. */
function storeOf(text: string): unknown {
  if (text === "sqlite") return { kind: "sqlite" };
  return /^postgres(?:ql)?:\/\/./.test(text) ? { kind: "postgres", url: text } : { kind: text };
}

export type Overridden = { config: Config; overriddenBy: Record<string, string> };

/** The configuration with the environment's values applied, and which setting came from which variable. */
export function applyEnvironment(config: Config, env: Environment): Overridden {
  const overriddenBy: Record<string, string> = {};
  const merged = ENVIRONMENT_OVERRIDES.reduce((current, { variable, path, apply }) => {
    const text = env[variable];
    if (text === undefined || text === "") return current;
    const parsed = Config.safeParse(apply(current, text));
    if (!parsed.success) throw new ConfigError([badValue(variable, path)]);
    overriddenBy[path] = variable;
    return parsed.data;
  }, config);
  return { config: merged, overriddenBy };
}

/** The value itself is not repeated: it may be an address with a password in it. */
function badValue(variable: string, path: string) {
  const expected =
    path === "store.url" ? "sqlite, or an address that begins with postgres://" : expectedAt(path.split("."));
  const message = `The environment variable ${variable} has a value that ${path} cannot take. Expected: ${expected}.`;
  return { source: variable, line: null, column: null, path, message };
}
