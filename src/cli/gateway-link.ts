/** Finds the gateway of this home folder and connects to it, in the name of the person at this machine. */
import { readFile } from "node:fs/promises";
import { CLIENT_ERROR_CODES } from "../client/holdpoint-error.ts";
import { type ClientStatus, connectHoldpoint, type HoldpointClient, HoldpointError } from "../client/index.ts";
import { type Environment, homePath, operatorTokenFile } from "../config/home.ts";
import { readRunningFile } from "../gateway/process/running-file.ts";
import { VERSION } from "../gateway/version.ts";
import type { Link, LinkState } from "./chat/link.ts";
import { CliError, refusedError } from "./cli-error.ts";

export type Address = { url: string; token: string };

/**
 * The gateway that runs on this home. With HOLDPOINT_URL another one, and then its token must be named as well: the
 * token of this machine goes to this machine's gateway only.
 */
export async function findGateway(env: Environment): Promise<Address> {
  const url = env["HOLDPOINT_URL"] ?? "";
  const token = env["HOLDPOINT_TOKEN"] ?? "";
  if (url !== "") {
    if (!URL.canParse(url) || !/^(?:https?|wss?):$/.test(new URL(url).protocol)) throw badAddress(url);
    if (token === "") throw noToken("HOLDPOINT_URL names a gateway and HOLDPOINT_TOKEN is not set.");
    return { url, token };
  }
  const home = homePath(env);
  const running = await readRunningFile(home);
  if (running === undefined) throw noGateway(`No gateway runs on ${home}.`);
  if (token !== "") return { url: running.url, token };
  const kept = await readFile(operatorTokenFile(home), "utf8").catch(() => "");
  if (kept.trim() === "") throw noTokenFile(operatorTokenFile(home));
  return { url: running.url, token: kept.trim() };
}

const noGateway = (message: string): CliError =>
  new CliError({ exit: "noGateway", message, advice: "Start one with: holdpoint start", code: "NO_GATEWAY" });
const noToken = (message: string): CliError =>
  new CliError({
    exit: "notAuthorised",
    message,
    advice: "Set HOLDPOINT_TOKEN to a token of that gateway.",
    code: "NO_TOKEN",
  });
const noTokenFile = (file: string): CliError =>
  new CliError({
    exit: "notAuthorised",
    message: `The token file ${file} is empty or cannot be read.`,
    advice: "Start the gateway again: it then writes a valid one. Or set HOLDPOINT_TOKEN.",
    code: "NO_TOKEN",
  });
const badAddress = (url: string): CliError =>
  new CliError({
    exit: "usage",
    message: `HOLDPOINT_URL cannot be "${url}".`,
    advice: "Write it like http://127.0.0.1:4747.",
    code: "USAGE",
  });

export async function openLink({ url, token }: Address, { stay }: { stay: boolean }): Promise<Link> {
  const states = new Set<(state: LinkState) => void>();
  let state: "opening" | "up" | "down" = "opening";
  const onStatus = (status: ClientStatus): void => {
    if (status === "connecting") return;
    const before = state;
    state = status === "open" ? "up" : before === "opening" ? before : "down";
    if (before === "opening" || (before === state && status !== "closed")) return; // each change is reported once
    const change: LinkState =
      status === "open" ? { connected: true } : { connected: false, ended: status === "closed" };
    for (const listener of states) listener(change);
  };
  const client = connectHoldpoint({
    url,
    token,
    clientName: "holdpoint-cli",
    clientVersion: VERSION,
    surface: "cli",
    reconnect: stay,
    onStatus,
  });
  const { operator } = await client.ready().catch(explained);
  return {
    operator: () => operator,
    call: (method, params) => client.call(method, params).catch(explained),
    async follow(sessionId, onMissed) {
      await client.subscribe(sessionId, { onMissed }).catch(explained);
    },
    onEvent: (listener) => client.on("*", ({ event, payload }) => listener({ event, payload })),
    onState(listener) {
      states.add(listener);
      return () => void states.delete(listener);
    },
    close: () => closeQuietly(client, states),
  };
}

function closeQuietly(client: HoldpointClient, states: Set<unknown>): void {
  states.clear(); // closed by this program, so no lost connection is reported
  client.close();
}

const OF_CLIENT: ReadonlySet<string> = new Set(CLIENT_ERROR_CODES);

function explained(error: unknown): never {
  if (!(error instanceof HoldpointError)) throw error;
  if (!OF_CLIENT.has(error.code))
    throw refusedError({ code: error.code, message: error.message, details: error.details });
  const advice = error.code === "UNREACHABLE" ? "Start it with: holdpoint start" : "";
  const message = error.code === "UNREACHABLE" ? error.message.replace(/ Start one with.*$/, "") : error.message;
  throw new CliError({
    exit: error.code === "UNREACHABLE" ? "noGateway" : "failed",
    message,
    advice,
    code: error.code,
    cause: error,
  });
}

/** For commands that ask and go. */
export async function withGateway<Result>(env: Environment, work: (link: Link) => Promise<Result>): Promise<Result> {
  const link = await openLink(await findGateway(env), { stay: false });
  try {
    return await work(link);
  } finally {
    link.close();
  }
}
