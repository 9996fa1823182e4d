/** The configuration for the agent's own tool: masked twice over, and each change of it in the audit. */
import { ConfigError, describeProblem } from "../config/config-error.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Json } from "../protocol/json.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { ConfigAccess } from "../tools/config/config-tool.ts";

export type ConfigAccessParts = {
  config: Pick<LiveConfig, "get" | "propose" | "set">;
  /** Records that an agent changed this setting; a refusal when the store did not take it. */
  record(change: { path: string; sessionId: SessionId }): Promise<Refusal | undefined>;
};

const SECRET_NAME = /pass|secret|token|credential|(?:^|_|[a-z])key$/i;
const MASK = "***";

export function createConfigAccess({ config, record }: ConfigAccessParts): ConfigAccess {
  return {
    read: (path) => explained(() => ({ value: masked(config.get(path).value, keysOf(path)) })),
    propose: (path, value) =>
      explainedLater(async () => {
        const keys = keysOf(path);
        const { before, after } = await config.propose(path, value);
        const shown = { before: masked(before, keys), after: masked(after, keys) };
        return { ...shown, diff: diffOf(path, shown) };
      }),
    apply: (path, value, { sessionId }) =>
      explainedLater(async () => {
        const change = await config.set(path, value);
        const unrecorded = await record({ path, sessionId });
        return unrecorded === undefined
          ? change
          : { error: `${path} was set, but that could not be recorded: ${unrecorded.message} Tell the person.` };
      }),
  };
}

/** No path is the whole of it, which has no name. */
const keysOf = (path: string): string[] => (path === "" ? [] : path.split("."));

/** What plugins are configured with is known to them alone, so none of it is shown; nor is what is named like a secret. */
function masked(value: Json, path: readonly string[]): Json {
  const name = path.at(-1) ?? "";
  const isPluginConfig = path[0] === "plugins" && path.includes("config");
  if (value !== null && (isPluginConfig || (SECRET_NAME.test(name) && typeof value !== "object"))) return MASK;
  if (Array.isArray(value)) return value.map((item, at) => masked(item, [...path, String(at)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, [...path, key])]));
}

function diffOf(path: string, { before, after }: { before: Json; after: Json }): string[] {
  const lines = (value: Json, sign: string): string[] =>
    value === null
      ? []
      : JSON.stringify(value, null, 2)
          .split("\n")
          .map((line, at) => `${sign} ${at === 0 ? `${path}: ` : ""}${line}`);
  const [was, will] = [lines(before, "-"), lines(after, "+")];
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [...was, ...will];
}

const words = (error: unknown): { error: string } => {
  if (!(error instanceof ConfigError)) throw error;
  return { error: error.problems.map(describeProblem).join("\n") };
};

function explained<Result>(work: () => Result): Result | { error: string } {
  try {
    return work();
  } catch (error) {
    return words(error);
  }
}

async function explainedLater<Result>(work: () => Promise<Result>): Promise<Result | { error: string }> {
  try {
    return await work();
  } catch (error) {
    return words(error);
  }
}
