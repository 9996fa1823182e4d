/** From a home folder to a checked configuration. Only the home folder and four variables are looked at. */
import { readFile, stat } from "node:fs/promises";
import { ConfigError } from "./config-error.ts";
import { applyEnvironment } from "./environment.ts";
import { configFile, type Environment } from "./home.ts";
import { CONFIG_BYTES_MAX, parseConfig } from "./parse.ts";
import type { Config } from "./config.ts";

export type LoadedConfig = {
  config: Config;
  file: string;
  /** Setting → the environment variable that set it for this run. */
  overriddenBy: Record<string, string>;
};

/** Throws a ConfigError that says where and why. A missing file is the defaults: plan mode off, loopback, SQLite. */
export async function loadConfig(home: string, env: Environment): Promise<LoadedConfig> {
  const file = configFile(home);
  const text = (await readConfigText(file)) ?? "";
  return { file, ...applyEnvironment(parseConfig(text, file).config, env) };
}

/** Undefined when there is none yet. */
export async function readConfigText(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > CONFIG_BYTES_MAX) throw tooLarge(file);
    return await readFile(file, "utf8");
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      [
        {
          source: file,
          line: null,
          column: null,
          path: "",
          message: `The file cannot be read (${reason}). Correct its rights.`,
        },
      ],
      { cause },
    );
  }
}

function tooLarge(file: string): ConfigError {
  const message = `The file is larger than ${CONFIG_BYTES_MAX} bytes. Remove what does not belong in it.`;
  return new ConfigError([{ source: file, line: null, column: null, path: "", message }]);
}
