/** What a first start writes, and what it prints about it. */
import { link, open, rm, stat } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { configFile, ensureHome } from "./home.ts";

export const FIRST_CONFIG = `# Holdpoint. Every setting that is left out has its default; \`holdpoint config schema\` lists them all.
# Change it here, or with \`holdpoint config set <setting> <value>\`. Most changes apply at once;
# host, port and store need a restart.

gateway:
  host: 127.0.0.1 # this machine only
  port: 4747

# SQLite in this folder. For several gateways on one PostgreSQL server:
#   store: { kind: postgres, url: "postgres://…" }
store:
  kind: sqlite

agents:
  defaults:
    # auto takes the first key that it finds in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) or a local
    # Ollama, and else "demo", the built-in scripted agent, which runs a whole plan cycle without any key.
    # Name one as provider/model, or list several: each is asked when those before it have failed.
    model: auto
    planMode:
      # The hold point: an agent in plan mode changes nothing until a person has approved its plan.
      # The product's default is off; this file, written by the first start, turns it on.
      enabled: true
      # New chat sessions begin in plan mode. null lets the binding's role decide, false begins in normal mode.
      defaultActive: true
      # How long a plan or a question waits for a person before it expires. It never approves by itself.
      approvalTimeoutSeconds: 86400

logging:
  level: info # trace, debug, info, warn, error, silent
`;

export type FirstStart = { written: boolean; file: string; note: string };

/** Writes the commented configuration where there is none. Of two gateways that start at once, one writes it. */
export async function firstStart(home: string): Promise<FirstStart> {
  await ensureHome(home);
  const file = configFile(home);
  const written = !(await isThere(file)) && (await writeWhole(file, FIRST_CONFIG));
  const note = written
    ? `First start: wrote ${file}. Plan mode is on, and new chat sessions start in it: the agent changes nothing until you approve its plan.`
    : "";
  return { written, file, note };
}

/** Every start but the first is spared a file that is written, synced and thrown away. */
const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Whole or not at all, and never over an existing file: a link to a finished file is made, which fails if the name is taken. */
async function writeWhole(file: string, text: string): Promise<boolean> {
  const temporary = join(dirname(file), `.${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(temporary, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}
