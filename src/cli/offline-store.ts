/** The store when no gateway runs: claimed for a moment, so that none can start meanwhile. */
import { existsSync } from "node:fs";
import { homePath, type Environment } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { loadStore } from "../gateway/open-store.ts";
import { readRunningFile } from "../gateway/process/running-file.ts";
import type { AuditVerdict } from "../protocol/audit.ts";
import { claimFolder } from "../store/sqlite/claim-folder.ts";
import type { Store } from "../store/store.ts";
import { localTime } from "../store/store-time.ts";
import type { Link } from "./chat/link.ts";
import { CliError } from "./cli-error.ts";
import { withGateway } from "./gateway-link.ts";

export type Roads<Result> = { online(link: Link): Promise<Result>; offline(store: Store): Promise<Result> };

/** Through the gateway that runs on this home, or on its store when none does. */
export async function onlineOrOffline<Result>(env: Environment, roads: Roads<Result>): Promise<Result> {
  if ((env["HOLDPOINT_URL"] ?? "") !== "") return withGateway(env, roads.online);
  const home = homePath(env);
  if (!existsSync(home)) throw noHome(home);
  const claim = claimFolder(home, { pid: process.pid });
  if ("heldByPid" in claim) {
    if ((await readRunningFile(home)) === undefined) throw starting(claim.heldByPid);
    return withGateway(env, roads.online);
  }
  try {
    return await onStore(env, home, roads.offline);
  } finally {
    claim.release();
  }
}

async function onStore<Result>(
  env: Environment,
  home: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { config } = await loadConfig(home, env);
  const broken = Promise.withResolvers<never>();
  const open = await loadStore(config);
  const store = await open({ home, onFatal: broken.reject, local: localTime, patience: NONE });
  try {
    return await Promise.race([work(store), broken.promise]);
  } finally {
    await store.close();
  }
}

/** Whoever types a command waits for it. */
const NONE = { waitMs: 0, connectMsMax: 3_000, onWaiting: () => undefined };

const noHome = (home: string): CliError =>
  new CliError({
    exit: "failed",
    message: `${home} does not exist: no gateway has run here yet.`,
    advice: "Start one with: holdpoint start",
    code: "NO_HOME",
  });

const starting = (pid: number | null): CliError =>
  new CliError({
    exit: "stateHeld",
    message: `Process ${pid ?? "unknown"} holds this home folder and cannot be reached yet.`,
    advice: "Try again in a moment.",
    code: "STATE_HELD",
  });

export function verifyChain(env: Environment): Promise<AuditVerdict> {
  return onlineOrOffline(env, {
    online: async (link) => (await link.call("audit.verify", {})).verdict,
    offline: (store) => store.verifyAudit(),
  });
}
