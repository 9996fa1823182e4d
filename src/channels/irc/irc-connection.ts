/**
 * One connection to a server, registered: capabilities, SASL where there is a password, nick, channels. Whether the server has
 * read what we sent is known by the answer to a PING that follows it.
 */
import { connect as connectPlain, type Socket as NetSocket } from "node:net";
import { connect as connectTls } from "node:tls";
import { SendError } from "../port.ts";
import type { IrcSettings } from "../protocol/vendors/irc-settings.ts";
import { type IrcLine, parseLine } from "./irc-line.ts";

const WANTED = ["message-tags", "account-tag", "server-time"];
const REGISTER_MS_MAX = 20_000;
const PONG_MS_MAX = 15_000;
const SILENCE_MS = 60_000;
const BUFFER_CHARS_MAX = 65_536;
const LATER = /wait (\d{1,5}) sec/i;
/** The server did not pass it on: no such nick, or we may not speak there. */
const REFUSED = new Set(["401", "403", "404", "407", "412", "477", "489"]);

export type IrcConnection = {
  /** What we are called in the end. */
  nick: string;
  /** Resolves when the server has read all of it. `isLast`: nothing of the same message follows. */
  say(lines: readonly string[], isLast: boolean): Promise<void>;
  close(): void;
  closed: Promise<void>;
};

type Pending = { resolve(): void; reject(error: SendError): void };
type State = { settings: IrcSettings; nick: string; pings: number; pending: Map<string, Pending> };

export type Connecting = {
  settings: IrcSettings;
  channels: readonly string[];
  onLine(line: IrcLine, nick: string): void;
  signal: AbortSignal;
};

/** Resolves when the server has greeted us. */
export async function connectIrc({ settings, channels, onLine, signal }: Connecting): Promise<IrcConnection> {
  const { host, port, tls, nick } = settings;
  const socket = tls ? connectTls({ host, port, servername: host }) : connectPlain({ host, port });
  const state: State = { settings, nick, pings: 0, pending: new Map() };
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const write = writer(socket);
  const callOff = (): void => void socket.destroy();
  signal.addEventListener("abort", callOff, { once: true });
  const timer = setTimeout(() => ready.reject(new Error(`${host} did not greet us`)), REGISTER_MS_MAX);
  const alive = setInterval(() => write(`PING :alive`), SILENCE_MS);
  socket.setEncoding("utf8").setTimeout(2 * SILENCE_MS, callOff);
  socket.once(tls ? "secureConnect" : "connect", () => {
    write("CAP LS 302", `NICK ${nick}`, `USER ${nick} 0 * :Holdpoint`);
  });
  socket.on("error", (error) => ready.reject(error));
  socket.once("close", () => {
    clearInterval(alive);
    clearTimeout(timer);
    signal.removeEventListener("abort", callOff);
    const lost = new SendError("The connection to IRC was lost.", { retry: "later", maybeSent: true });
    for (const { reject } of state.pending.values()) reject(lost);
    ready.reject(new Error(`${host} closed the connection`));
    ended.resolve();
  });
  readLines(socket, (line) => {
    answer(line, state, { write, ready });
    onLine(line, state.nick);
  });
  await ready.promise;
  clearTimeout(timer);
  if (channels.length > 0) write(...channels.map((name) => `JOIN ${name}`));
  return {
    nick: state.nick,
    say: (lines, isLast) => say({ lines, isLast }, state, write),
    close: callOff,
    closed: ended.promise,
  };
}

const writer =
  (socket: NetSocket) =>
  (...lines: string[]): void => {
    if (socket.writable) socket.write(lines.map((line) => `${line}\r\n`).join(""));
  };

function readLines(socket: NetSocket, take: (line: IrcLine) => void): void {
  let rest = "";
  socket.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = (lines.pop() ?? "").slice(-BUFFER_CHARS_MAX);
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed !== undefined) take(parsed);
    }
  });
}

type Write = (...lines: string[]) => void;
type Answering = { write: Write; ready: PromiseWithResolvers<void> };

function answer({ command, params }: IrcLine, state: State, { write, ready }: Answering): void {
  const { settings } = state;
  switch (command) {
    case "PING":
      return write(`PONG :${params.at(-1) ?? ""}`);
    case "PONG":
      return settle(params.at(-1) ?? "", state);
    case "CAP":
      return capabilities(params, settings, write);
    case "AUTHENTICATE": {
      const { account = settings.nick, password = "" } = settings;
      return write(`AUTHENTICATE ${Buffer.from(`\0${account}\0${password}`).toString("base64")}`);
    }
    case "903":
      return write("CAP END");
    case "902":
    case "904":
    case "905":
      return ready.reject(new Error("the server does not accept the account and its password"));
    case "433":
      state.nick = `${state.nick}_`;
      return write(`NICK ${state.nick}`);
    case "001":
      state.nick = params[0] ?? state.nick;
      return ready.resolve();
    default:
      return refusedLine(command, params, state);
  }
}

function capabilities([, verb = "", ...rest]: string[], { password }: IrcSettings, write: Write): void {
  const offered = (rest.at(-1) ?? "").split(" ").map((cap) => cap.split("=")[0] ?? "");
  if (verb === "LS") {
    if (rest[0] === "*") return; // more follow, and what we want stands in the last
    const wanted = [...WANTED, ...(password === undefined ? [] : ["sasl"])].filter((cap) => offered.includes(cap));
    return wanted.length === 0 ? write("CAP END") : write(`CAP REQ :${wanted.join(" ")}`);
  }
  if (verb === "ACK" && offered.includes("sasl")) return write("AUTHENTICATE PLAIN");
  if (verb === "ACK" || verb === "NAK") write("CAP END");
}

const settle = (name: string, { pending }: State): void => {
  pending.get(name)?.resolve();
  pending.delete(name);
};

/** About the oldest thing that was sent and not confirmed. */
function refusedLine(command: string, params: readonly string[], { pending }: State): void {
  const [oldest] = pending;
  const text = params.at(-1) ?? "";
  const [, seconds] = command === "439" ? (LATER.exec(text) ?? []) : [];
  if (oldest === undefined || (seconds === undefined && !REFUSED.has(command))) return;
  const [name, { reject }] = oldest;
  pending.delete(name);
  reject(
    seconds === undefined
      ? new SendError(`IRC: ${text}`, { retry: "never" })
      : new SendError(`IRC: ${text}`, { retry: "later", afterMs: Number(seconds) * 1_000 }),
  );
}

type Lines = { lines: readonly string[]; isLast: boolean };

async function say({ lines, isLast }: Lines, state: State, write: Write): Promise<void> {
  const name = `hp${++state.pings}${isLast ? "" : "+"}`;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  state.pending.set(name, { resolve, reject });
  const timer = setTimeout(
    () => reject(new SendError("IRC did not confirm it.", { retry: "later", maybeSent: true })),
    PONG_MS_MAX,
  );
  write(...lines, `PING :${name}`);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    state.pending.delete(name);
  }
}
