/** What the doctor looks at. Each check answers for itself and never throws: what it cannot find out, it says. */
import { access, chmod, constants, stat, statfs } from "node:fs/promises";
import { existsSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { ConfigError } from "../../config/config-error.ts";
import { configFile, type Environment, homePath, operatorTokenFile } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import { stuckLine } from "../../delivery/troubles.ts";
import { pageAddress, usesPresence } from "../../gateway/presence/page-address.ts";
import { readRunningFile } from "../../gateway/process/running-file.ts";
import { stuckOrders } from "../../engine/stuck-orders.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { describeStuck } from "../text/stuck-order.ts";
import { claimFolder } from "../../store/sqlite/claim-folder.ts";
import { PAGE_MAX } from "../../store/store.ts";
import { asCliError } from "../cli-error.ts";
import type { ExitName } from "../exit-codes.ts";
import { onlineOrOffline, verifyChain } from "../offline-store.ts";

export type Finding = {
  name: string;
  level: "ok" | "warn" | "fail";
  detail: string;
  /** What to do; empty where nothing is to be done. */
  advice: string;
  exit?: ExitName;
  /** Corrects it; only where no decision of a person is needed. */
  fix?: () => Promise<void>;
};

export type Check = (env: Environment) => Promise<Finding>;

const NODE_MAJOR_MIN = 26;
const FREE_BYTES_MIN = 200_000_000;

const ok = (name: string, detail: string): Finding => ({ name, level: "ok", detail, advice: "" });
const warn = (name: string, detail: string, advice: string): Finding => ({ name, level: "warn", detail, advice });
const fail = (name: string, detail: string, advice: string): Finding => ({ name, level: "fail", detail, advice });

const node: Check = async () => {
  const { node: found } = process.versions;
  if (Number(found.split(".")[0]) >= NODE_MAJOR_MIN) return ok("node", found);
  return fail("node", `${found} is too old.`, "Install again with optional packages: npm install --include=optional");
};

const home: Check = async (env) => {
  try {
    const path = homePath(env);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined)
      return warn("home", `${path} does not exist yet.`, "The first start makes it: holdpoint start");
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
      return {
        ...fail(
          "home",
          `${path} can be read by others (mode ${(found.mode & 0o777).toString(8)}).`,
          `chmod 700 ${path}`,
        ),
        fix: () => chmod(path, 0o700),
      };
    }
    const isWritable = await access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return fail("home", `${path} cannot be written.`, "Correct its rights, or choose another folder.");
    const exposed = await exposedToken(operatorTokenFile(path));
    if (exposed !== undefined) return exposed;
    const { bavail, bsize } = await statfs(path);
    if (bavail * bsize < FREE_BYTES_MIN)
      return warn(
        "home",
        `${path}: only ${Math.floor((bavail * bsize) / 1e6)} MB free.`,
        "Make room; a full disk stops all changes.",
      );
    return ok("home", path);
  } catch (error) {
    return { ...fail("home", asCliError(error).message, "Correct HOLDPOINT_HOME."), exit: "configInvalid" };
  }
};

async function exposedToken(path: string): Promise<Finding | undefined> {
  const token = await stat(path).catch(() => undefined);
  if (token === undefined || process.platform === "win32" || (token.mode & 0o077) === 0) return undefined;
  return {
    ...fail("home", `${path} can be read by others.`, `chmod 600 ${path}, then replace the token.`),
    fix: () => chmod(path, 0o600),
  };
}

const config: Check = async (env) => {
  try {
    const { config: found, file, overriddenBy } = await loadConfig(homePath(env), env);
    const names = Object.values(overriddenBy);
    const from = names.length === 0 ? file : `${file}, with ${names.join(", ")} from the environment`;
    const isWritten = await stat(configFile(homePath(env))).then(
      () => true,
      () => false,
    );
    if (!isWritten) return ok("config", "There is none yet: the first start writes it, with plan mode on.");
    if (found.agents.defaults.planMode.enabled === true) return ok("config", `${from}; plan mode is on.`);
    return warn(
      "config",
      `${from}; plan mode is off: agents may change things unasked.`,
      "holdpoint config set agents.defaults.planMode.enabled true",
    );
  } catch (error) {
    const detail = error instanceof ConfigError ? error.message : asCliError(error).message;
    return { ...fail("config", detail, "Correct the file, then look again."), exit: "configInvalid" };
  }
};

const automation: Check = async (env) => {
  const loaded = await loadConfig(homePath(env), env).catch(() => undefined);
  if (loaded === undefined)
    return warn("automation", "Unknown while the configuration is broken.", "Correct it first.");
  if (loaded.config.automation.unattended === "held") return ok("automation", "Runs that nobody attends only read.");
  return warn(
    "automation",
    "Scheduled jobs and heartbeats may change things with nobody there (automation.unattended: open).",
    "holdpoint config set automation.unattended held",
  );
};

/** Passkeys need a page with a name; where they are asked for without one, nothing can be approved. */
export const presence: Check = async (env) => {
  const loaded = await loadConfig(homePath(env), env).catch(() => undefined);
  if (loaded === undefined) return warn("presence", "Unknown while the configuration is broken.", "Correct it first.");
  const { config: found } = loaded;
  const { origin, rpId } = pageAddress(found, found.gateway);
  if (!usesPresence(found)) return ok("presence", "Decisions need no passkey (approvals.presence).");
  if (rpId === undefined)
    return fail(
      "presence",
      `approvals.presence asks for passkeys, which need a page with a name, by https or as localhost; this one is ${origin}.`,
      "holdpoint config set gateway.pageAddress https://…",
    );
  return ok("presence", `Decisions are signed with passkeys, on ${origin}.`);
};

/** A job whose operator was revoked does not run until somebody else answers for it. */
export const jobs: Check = async (env) => {
  try {
    const found = await onlineOrOffline(env, {
      online: async (link) => (await link.call("cron.list", {})).jobs,
      offline: async () => undefined,
    });
    if (found === undefined) return ok("jobs", "Not looked at: no gateway runs.");
    const stopped = found.filter(({ now }) => now.status === "off" && now.why === "revoked");
    if (stopped.length === 0) return ok("jobs", `${found.length} scheduled, and somebody answers for each.`);
    const names = stopped.map(({ id, name }) => `${sanitiseLine(name)} (${id})`).join(", ");
    const detail = `Stopped, because the operator who answers for them was revoked: ${names}.`;
    return warn("jobs", detail, "Take one over with: holdpoint cron enable ID, or remove it.");
  } catch (error) {
    const { message, code } = asCliError(error);
    return code === "NO_HOME" ? ok("jobs", "None.") : warn("jobs", `Not checked: ${message}`, "");
  }
};

export const port: Check = async (env) => {
  const loaded = await loadConfig(homePath(env), env).catch(() => undefined);
  if (loaded === undefined) return warn("port", "Unknown while the configuration is broken.", "Correct it first.");
  const ours = await runningHere(homePath(env));
  if (ours !== undefined) return ours;
  const { host, port: wanted } = loaded.config.gateway; // a start may have named another
  if (wanted === 0) return ok("port", "0: a free one is picked at each start.");
  const problem = await listenProblem(host, wanted);
  if (problem === undefined) return ok("port", `${host}:${wanted} is free; no gateway runs.`);
  return fail(
    "port",
    `${host}:${wanted} cannot be used (${problem}), and not by our gateway.`,
    "Choose another: holdpoint config set gateway.port 4748",
  );
};

/** Whoever holds the folder runs, on whichever port it was started. */
async function runningHere(folder: string): Promise<Finding | undefined> {
  if (!existsSync(folder)) return undefined;
  const claim = claimFolder(folder, { pid: process.pid });
  if (!("heldByPid" in claim)) {
    claim.release();
    return undefined;
  }
  const running = await readRunningFile(folder);
  const who = `process ${claim.heldByPid ?? "unknown"}`;
  if (running === undefined)
    return warn("port", `A gateway is starting or stopping (${who}).`, "Look again in a moment.");
  if (await answers(running.url)) return ok("port", `Our gateway serves at ${running.url} (${who}).`);
  return fail("port", `Our gateway runs (${who}) and does not answer at ${running.url}.`, "See why in gateway.log.");
}

const ANSWER_MS_MAX = 5_000;

/** Not by fetch, which refuses some ports that a gateway may well have. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(new URL("/healthz", url), { timeout: ANSWER_MS_MAX, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
  });
}

function listenProblem(host: string, wanted: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port: wanted, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

export const store: Check = async (env) => {
  try {
    const health = await onlineOrOffline(env, {
      online: async (link) => (await link.call("health", {})).store,
      offline: (opened) => opened.health(),
    });
    if (health.damage !== undefined) {
      const advice = "What rests on it is refused. Keep a copy of the store, and compare it with a backup.";
      return { ...fail("store", health.damage, advice), exit: "storeUnusable" };
    }
    if (health.writable) return ok("store", health.detail);
    return {
      ...fail("store", health.detail, "Make room, correct its rights or start its server; it recovers by itself."),
      exit: "storeUnusable",
    };
  } catch (error) {
    const { message, advice, code, exit } = asCliError(error);
    if (code === "NO_HOME") return warn("store", "There is none yet.", advice);
    if (exit === "notAuthorised") return { ...fail("token", message, advice), exit };
    return {
      ...fail(
        "store",
        message,
        code === "STORE_UNUSABLE" ? "If its file is damaged, restore the last backup: holdpoint restore FILE" : advice,
      ),
      exit: "storeUnusable",
    };
  }
};

const audit: Check = async (env) => {
  try {
    const verdict = await verifyChain(env);
    if (verdict.intact) return ok("audit", `The chain is intact: ${verdict.rows} rows.`);
    return {
      ...fail(
        "audit",
        `Broken at row ${verdict.brokenAtSeq}: ${verdict.reason}`,
        "Keep the store as it is; compare it with a backup.",
      ),
      exit: "storeUnusable",
    };
  } catch (error) {
    return warn("audit", `Not checked: ${asCliError(error).message}`, "");
  }
};

const sandbox: Check = async (env) => {
  const loaded = await loadConfig(homePath(env), env).catch(() => undefined);
  if (loaded?.config.tools.exec.sandbox === "none") {
    return warn(
      "sandbox",
      "Switched off: agents' commands run beside the gateway's own folder (tools.exec.sandbox: none).",
      "holdpoint config set tools.exec.sandbox auto",
    );
  }
  const { chosenBuilders, probedSandbox } = await import("../../runner/sandbox.ts");
  const probed = probedSandbox({ builders: chosenBuilders(env) });
  const kind = await probed.kind();
  if (kind !== "none") return ok("sandbox", `What acts for agents runs in a sandbox (${kind}).`);
  if (probed.isUncertain()) return warn("sandbox", "This machine was too busy to start one.", "Run the doctor again.");
  return warn(
    "sandbox",
    "This machine has none.",
    'Install bubblewrap. Until then agents\' commands are refused, unless tools.exec.sandbox is "none".',
  );
};

/** Deadlines and the audit trail go by the store's clock; people read them by this machine's. */
export const clock: Check = async (env) => {
  const advice = "Set the clock, for instance by NTP.";
  try {
    const skewMs = await onlineOrOffline(env, {
      online: async (link) => (await link.call("health", {})).clockSkewMs ?? 0,
      offline: async (opened) => opened.time?.skewMs() ?? 0,
    });
    if (Math.abs(skewMs) > SKEW_MS_MAX) return warn("clock", skewLine(skewMs), advice);
    const last = await onlineOrOffline(env, {
      online: async (link) => {
        const { verdict } = await link.call("audit.verify", {});
        const { rows } = await link.call("audit.list", { afterSeq: Math.max(verdict.rows - 1, 0), limit: 1 });
        return rows[0]?.atMs ?? 0;
      },
      offline: async (opened) => {
        const { rows } = await opened.verifyAudit();
        return (await opened.auditRows({ afterSeq: Math.max(rows - 1, 0), limit: 1 }))[0]?.atMs ?? 0;
      },
    });
    if (last > Date.now() + 1_000)
      return warn("clock", `The last audit row is from the future: ${new Date(last).toISOString()}.`, advice);
  } catch {
    // without a store there is nothing to compare with
  }
  return ok("clock", new Date().toISOString());
};

const SKEW_MS_MAX = 1_000;

function skewLine(skewMs: number): string {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(0);
  const way = skewMs > 0 ? "ahead of" : "behind";
  return `The gateway's machine is ${seconds} s ${way} the store's clock. Leases, timers and deadlines go by the store's.`;
}

const plugins: Check = async (env) => {
  try {
    const { onPlugins } = await import("../plugins/plugin-road.ts");
    const { plugins: found, problems } = await onPlugins(env, (road) => road.list(true));
    if (problems.length === 0) return ok("plugins", `${found.length}, and nothing is wrong with them.`);
    const ids = [...new Set(problems.map(({ id }) => id))].join(", ");
    return warn("plugins", `Something is wrong with ${ids}.`, "See what: holdpoint plugins doctor");
  } catch (error) {
    const { message, code } = asCliError(error);
    if (code === "NO_HOME") return ok("plugins", "Those of the house.");
    return warn("plugins", `Not checked: ${message}`, "");
  }
};

const ORDERS_SHOWN_MAX = 10;

/** Work that slices ordered outside of their sessions. It is kept until it is done, so what is stuck must be shown. */
export const orders: Check = async (env) => {
  try {
    const stuck = await onlineOrOffline(env, {
      online: async (link) => (await link.call("status", {})).stuckOrders ?? [],
      offline: (opened) => stuckOrders(opened, Date.now()),
    });
    if (stuck.length === 0) return ok("orders", "No work is stuck.");
    const shown = stuck.slice(0, ORDERS_SHOWN_MAX).map(describeStuck);
    const more = stuck.length > shown.length ? [`and ${stuck.length - shown.length} more`] : [];
    const advice = stuck.some(({ status }) => status === "no-worker")
      ? "Switch the plugin on that takes it, or see what fails in the log. It is kept and tried again."
      : "See what fails in the log. It is kept and tried again.";
    return warn("orders", `${[...shown, ...more].join("; ")}.`, advice);
  } catch (error) {
    const { message, code } = asCliError(error);
    if (code === "NO_HOME") return ok("orders", "No work is stuck.");
    return warn("orders", `Not checked: ${message}`, "");
  }
};

/** What the running gateway reports as needing attention; of one that is down, the deliveries that its store has as stuck. */
const attention: Check = async (env) => {
  try {
    const lines = await onlineOrOffline(env, {
      online: async (link) => (await link.call("status", {})).notes,
      offline: async (opened) => {
        const all = await opened.subscribers({ id: "", limit: PAGE_MAX });
        return all.flatMap(({ subscriber }) => stuckLine(subscriber, Date.now()));
      },
    });
    if (lines.length === 0) return ok("attention", "Nothing is stuck.");
    return warn(
      "attention",
      lines.join(" "),
      "See to it; a delivery goes on by itself when its channel answers again.",
    );
  } catch (error) {
    const { message, code } = asCliError(error);
    if (code === "NO_HOME") return ok("attention", "Nothing has run yet.");
    return warn("attention", `Not checked: ${message}`, "");
  }
};

export const CHECKS: readonly Check[] = [
  node,
  home,
  config,
  automation,
  presence,
  jobs,
  port,
  store,
  audit,
  orders,
  plugins,
  attention,
  sandbox,
  clock,
];
