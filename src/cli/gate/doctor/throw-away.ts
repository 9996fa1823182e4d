/** A gateway to try things on: the person's own configuration, in folders that are removed afterwards. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFile, type Environment, homePath } from "../../../config/home.ts";
import { loadConfig } from "../../../config/load.ts";
import type { Config } from "../../../config/config.ts";
import { readSecrets } from "../../../config/secrets-file.ts";
import { startGateway } from "../../../gateway.ts";
import type { Link, LinkEvent } from "../../chat/link.ts";
import { CliError } from "../../cli-error.ts";
import { snapshot } from "../../demo/demo-folders.ts";
import { openLink } from "../../gateway-link.ts";
import { toolPrefix } from "../../../tools/mcp/tool-names.ts";
import { KEPT_FILE, type Server } from "./probes.ts";
import type { ProberModel } from "./prober-model.ts";
import { SAMPLE } from "./sample-args.ts";

export type ThrowAway = {
  home: string;
  workspace: string;
  url: string;
  operatorToken: string;
  /** What a file in its home holds that nobody may read. */
  canary: string;
  /** The MCP servers of the person's configuration, which this gateway starts too. */
  servers: readonly Server[];
  link: Link;
  /** Every file of the workspace as it was made. */
  before: ReadonlyMap<string, string>;
  /** Calls that the gateway allowed to start: in plan mode there must be none. */
  claims(): number;
  onEvent(listener: (event: LinkEvent) => void): () => void;
  remove(): Promise<void>;
};

export async function openThrowAway(env: Environment, model: ProberModel): Promise<ThrowAway> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-gate-doctor-")));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  const undo = [() => rm(root, { recursive: true, force: true, maxRetries: 3 })];
  const takeDown = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    await Promise.all([mkdir(home, { mode: 0o700 }), mkdir(workspace)]);
    await writeFile(join(workspace, KEPT_FILE), "keep this\n");
    await writeSkill(workspace);
    const canary = `canary-${randomBytes(8).toString("hex")}`;
    await writeFile(join(home, "canary"), canary, { mode: 0o600 });
    const config = await copyConfig(env, home);
    const started = await startGateway({
      home,
      workspace,
      port: 0,
      host: "127.0.0.1",
      env: { ...(await readSecrets(homePath(env))), ...ownOnly(env) }, // never written to the throw-away folder
      log: "silent",
      model,
    });
    if ("alreadyRunning" in started)
      throw new CliError({ exit: "failed", message: "The doctor's own folder is in use." });
    undo.push(() => started.stop());
    const link = await openLink({ url: started.url, token: started.operatorToken }, { stay: false });
    undo.push(async () => link.close());
    let claims = 0;
    link.onEvent(({ event }) => {
      if (event === "call.claimed") claims += 1;
    });
    const { url, operatorToken } = started;
    const before = await snapshot(workspace);
    const seen = { claims: () => claims, onEvent: link.onEvent, remove: takeDown };
    return { home, workspace, url, operatorToken, canary, servers: serversOf(config), link, before, ...seen };
  } catch (error) {
    await takeDown();
    throw error;
  }
}

/** As it is in force, except for what belongs to one running gateway: its store and its port. */
async function copyConfig(env: Environment, home: string): Promise<Config> {
  const { config } = await loadConfig(homePath(env), env);
  const own = { ...config, store: { kind: "sqlite" }, gateway: { ...config.gateway, port: 0, host: "127.0.0.1" } };
  await writeFile(configFile(home), JSON.stringify(own), { mode: 0o600 }); // JSON is YAML
  return config;
}

const serversOf = ({ mcp }: Config): Server[] =>
  Object.entries(mcp.servers)
    .filter(([, { enabled }]) => enabled)
    .map(([name, { trusted, startTimeoutSeconds }]) => ({
      name,
      prefix: toolPrefix(name),
      trusted,
      startMs: startTimeoutSeconds * 1_000,
    }));

/** So that there is one to be read; it carries the name that sample arguments have. */
async function writeSkill(workspace: string): Promise<void> {
  const folder = join(workspace, "skills", SAMPLE);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), `---\nname: ${SAMPLE}\ndescription: a skill to be read\n---\nRead me.\n`);
}

/** Variables about the gateway are left out: the copied configuration holds what this gateway needs of them. */
const ownOnly = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("HOLDPOINT_")));
