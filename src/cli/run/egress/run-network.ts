/** The network of a kept run: nothing of the machine's own, and a way out to its model, later also to the hosts of its plan. */
import { appendFileSync, mkdirSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";
import type { Environment } from "../../../config/home.ts";
import { CliError } from "../../cli-error.ts";
import type { RunOptions } from "../run-options.ts";
import { type AllowedHost, hostNamed, hostsOfModel, isAllowed, isOfThisMachine } from "./allowed-hosts.ts";
import { type Attempt, createEgress } from "./egress-proxy.ts";

const PROXY_PORT = 18_080;
const LINES_MAX = 10_000;
/** Programs inside that talk with each other do so directly. */
const DIRECT = "localhost,127.0.0.1,::1";

export type RunNetwork = {
  ports: readonly number[];
  env: Record<string, string>;
  onServers(servers: readonly Server[]): void;
  /** `hosts`: those that the approved plan names; undefined: it is held. */
  allow(hosts: readonly string[] | undefined): void;
};

type Parts = {
  options: RunOptions;
  known: readonly string[];
  env: Environment;
  state: string;
  sessionId: string;
  /** It wanted a host that it may not reach now. */
  onRefused?: (() => void) | undefined;
};

/** Undefined where the person leaves it the network of the machine. */
export function runNetwork({ options, known, env, state, sessionId, onRefused }: Parts): RunNetwork | undefined {
  if (options.network === "open") return undefined;
  if (options.network !== undefined) {
    throw new CliError({ exit: "usage", message: `--network takes "open" and nothing else.`, code: "USAGE" });
  }
  const model = [...hostsOfModel(known, env), ...(options.modelHost ?? []).map(mustBeHost)];
  const later = (options.host ?? []).map(mustBeHost);
  const local = model.filter((host) => isOfThisMachine(host) && host.port !== undefined);
  const inside = [...new Set(local.flatMap(({ port }) => port ?? []))];
  const proxyPort = [...inside.keys(), inside.length]
    .map((at) => PROXY_PORT + at)
    .find((port) => !inside.includes(port));
  let now: readonly AllowedHost[] = model;
  const log = logTo(join(state, "egress"), sessionId);
  const egress = createEgress({
    allows: (host, port) => isAllowed(host, port, now),
    log(attempt) {
      log(attempt);
      if (attempt.outcome === "refused") onRefused?.();
    },
  });
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    ports: [proxyPort ?? PROXY_PORT, ...inside],
    env: {
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      NO_PROXY: DIRECT,
      no_proxy: DIRECT,
      NODE_USE_ENV_PROXY: "1",
    },
    onServers([first, ...others]) {
      if (first !== undefined) egress.serve(first);
      for (const [at, server] of others.entries()) {
        egress.servePort(server, { host: "127.0.0.1", port: inside[at] ?? 0 });
      }
    },
    allow(hosts) {
      now = hosts === undefined ? model : [...model, ...later, ...hosts.flatMap(ofPlan)];
      egress.recheck();
    },
  };
}

/** An agent wrote it: names of others only, never this machine or an address. */
function ofPlan(text: string): AllowedHost[] {
  const host = hostNamed(text);
  return host === undefined || !/[a-z]$/.test(host.name) || !host.name.includes(".") ? [] : [host];
}

function mustBeHost(text: string): AllowedHost {
  const host = hostNamed(text);
  if (host !== undefined) return host;
  const advice = "Write a name or an address, with a port if need be: files.example.org, 127.0.0.1:11434";
  throw new CliError({ exit: "usage", message: `"${text}" is no host.`, advice, code: "USAGE" });
}

/** One line for each attempt, while there is room. */
function logTo(folder: string, sessionId: string): (attempt: Attempt) => void {
  let lines = 0;
  return (attempt) => {
    if (++lines > LINES_MAX) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const line = JSON.stringify({ at: new Date().toISOString(), ...attempt });
    appendFileSync(join(folder, `${sessionId}.jsonl`), `${line}\n`, { mode: 0o600 });
  };
}
