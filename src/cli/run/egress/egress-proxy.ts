/**
 * The only way out for a kept program: an HTTP proxy that knows hosts by name. Whatever else it tries, there is no network
 * for it. Each attempt is logged, with what came of it.
 *
 *   CONNECT host:port ──▶ allowed now? ──▶ its address, none of this machine's ──▶ a tunnel
 *   GET http://host/… ──▶ likewise      ──▶ the request, passed on
 */
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { BlockList, connect, isIP, isIPv6, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";

const CONNECT_MS_MAX = 30_000;
const CONNECTIONS_MAX = 256;

export type Attempt = { host: string; port: number; outcome: "allowed" | "refused" | "failed" };

export type EgressParts = {
  /** Asked at each attempt: what is allowed changes with the plan. */
  allows(host: string, port: number): boolean;
  log(attempt: Attempt): void;
  /** The address of a name. */
  resolve?(host: string): Promise<string>;
};

/** What names of others must not lead to: this machine, and what machines tell each other beside the network. */
const OWN = new BlockList();
OWN.addSubnet("127.0.0.0", 8);
OWN.addSubnet("169.254.0.0", 16);
OWN.addSubnet("0.0.0.0", 8);
OWN.addAddress("::1", "ipv6");
OWN.addAddress("::", "ipv6");
OWN.addSubnet("fe80::", 10, "ipv6");
OWN.addSubnet("::ffff:127.0.0.0", 104, "ipv6");

/** Whether an address is this machine's: only one that a person wrote down may be. */
function isOwn(address: string): boolean {
  const mine = new BlockList(); // looked at anew: networks come and go
  for (const { address: one, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    mine.addAddress(one, family === "IPv6" ? "ipv6" : "ipv4");
  }
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return OWN.check(address, family) || mine.check(address, family);
}

export type Egress = {
  serve(listening: Server): void;
  /** A port of this machine, served inside under the same number. */
  servePort(listening: Server, target: { host: string; port: number }): void;
  /** Cuts what is open and no longer allowed. */
  recheck(): void;
};

type World = EgressParts & { open: Map<Socket, { host: string; port: number }> };

export function createEgress(parts: EgressParts): Egress {
  const world: World = { ...parts, open: new Map() };
  const proxy = createServer((request, response) => void passOn(request, response, world));
  proxy.on("connect", (request, socket: Duplex) => void tunnel(request.url ?? "", socket, world));
  return {
    serve: (listening) => accept(listening, (socket) => proxy.emit("connection", socket)),
    servePort: (listening, target) => servePort(listening, target, world),
    recheck() {
      for (const [socket, { host, port }] of world.open) if (!parts.allows(host, port)) socket.destroy();
    },
  };
}

function servePort(listening: Server, target: { host: string; port: number }, { log }: World): void {
  accept(listening, (socket) => {
    log({ ...target, outcome: "allowed" });
    joined(socket, connect(target));
  });
}

function accept(listening: Server, onSocket: (socket: Socket) => void): void {
  listening.maxConnections = CONNECTIONS_MAX;
  listening.on("connection", onSocket);
  listening.on("error", () => undefined); // the tree has ended
  listening.unref();
}

const joined = (one: Duplex, other: Duplex): void => {
  pipeline(one, other, () => undefined); // either side may hang up
  pipeline(other, one, () => undefined);
};

async function tunnel(target: string, socket: Duplex, parts: World): Promise<void> {
  socket.on("error", () => undefined);
  const [, name = "", port = ""] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(target) ?? [];
  const reached = await reach(name, Number(port), parts);
  if (typeof reached === "string")
    return void socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${reached.length}\r\n\r\n${reached}`);
  socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  joined(socket, reached);
}

async function passOn(request: IncomingMessage, response: ServerResponse, parts: World): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  const reached =
    url?.protocol === "http:" ? await reach(url.hostname, Number(url.port || 80), parts) : "This is a proxy.";
  if (url === undefined || typeof reached === "string") {
    response.writeHead(403).end(typeof reached === "string" ? reached : "");
    return;
  }
  const { "proxy-connection": _hop, "proxy-authorization": _secret, ...headers } = request.headers;
  const options = {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host }, // what was judged: one address may serve many names
    createConnection: () => reached,
  };
  const sent = httpRequest(options, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => response.destroy());
  request.pipe(sent);
}

/** A connection, or why there is none. */
async function reach(
  given: string,
  port: number,
  { allows, log, open, resolve = addressOf }: World,
): Promise<Socket | string> {
  const host = given
    .replaceAll(/^\[|\]$/g, "")
    .toLowerCase()
    .replace(/\.$/, "");
  const refused = (outcome: Attempt["outcome"], why: string): string => {
    log({ host, port, outcome });
    return `Holdpoint: ${why}\n`;
  };
  if (host === "" || !(port > 0) || !allows(host, port)) {
    return refused("refused", `${host} is not among the hosts of this run. Name it in the plan, or start with --host.`);
  }
  try {
    const address = isIP(host) === 0 ? await resolve(host) : host;
    if (isIP(host) === 0 && isOwn(address)) return refused("refused", `${host} leads to this machine.`);
    const socket = await connected(address, port);
    open.set(socket, { host, port });
    socket.once("close", () => open.delete(socket));
    if (!allows(host, port)) socket.destroy(); // held meanwhile
    log({ host, port, outcome: "allowed" });
    return socket;
  } catch {
    return refused("failed", `${host} could not be reached.`);
  }
}

const addressOf = async (host: string): Promise<string> => (await lookup(host)).address;

function connected(host: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port, timeout: CONNECT_MS_MAX });
  socket.once("connect", () => {
    socket.setTimeout(0);
    resolve(socket);
  });
  socket.once("timeout", () => socket.destroy(new Error("no answer")));
  socket.on("error", reject);
  return promise;
}
