/** A server of IRC in memory: capabilities, SASL, channels, message tags; it cuts lines that are longer than 512 bytes. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";

const LINE_BYTES_MAX = 512;
const PREFIX_BYTES = 60;

type Due = "before" | "after" | { afterMs: number };
type State = {
  messages: (SeenMessage & { target: string })[];
  /** Lines that no PING has followed yet. */
  group: { target: string; lines: string[] } | undefined;
  sockets: Set<Socket>;
  joined: Set<string>;
  nick: string;
  due: Due[];
  numbers: number;
  password: string | undefined;
};

function said(line: string, state: State, socket: Socket): void {
  const [, target = "", text = ""] = /^PRIVMSG (\S+) :(.*)$/s.exec(line) ?? [];
  const [next] = state.due;
  if (typeof next === "object") {
    if (state.group === undefined)
      socket.write(
        `:irc.fake 439 ${state.nick} ${target} :Message target change too fast. Please wait ${next.afterMs / 1_000} seconds\r\n`,
      );
    state.group = { target, lines: [] };
    return;
  }
  if (Buffer.byteLength(line) + PREFIX_BYTES > LINE_BYTES_MAX)
    throw new Error(`a line of ${Buffer.byteLength(line)} bytes`);
  state.group ??= { target, lines: [] };
  state.group.lines.push(text);
}

/** The rest of it comes in the next line. */
const isCut = (line: string): boolean => Buffer.byteLength(line) > 396;

function confirmed(name: string, state: State, socket: Socket): void {
  const { group } = state;
  if (name.endsWith("+")) return void socket.write(`:irc.fake PONG irc.fake :${name}\r\n`); // more follows
  state.group = undefined;
  const next = group === undefined ? undefined : state.due.shift();
  const isShown = next === undefined || next === "after";
  if (group !== undefined && isShown && group.lines.length > 0) {
    const raw = group.lines
      .map((line) => (isCut(line) ? line : `${line}\n`))
      .join("")
      .trimEnd();
    state.messages.push({ id: `m${++state.numbers}`, target: group.target, text: raw, raw, buttons: [] });
  }
  if (next === "before" || next === "after") return void socket.destroy();
  socket.write(`:irc.fake PONG irc.fake :${name}\r\n`);
}

function answer(line: string, state: State, socket: Socket): void {
  const [command = "", ...rest] = line.split(" ");
  const reply = (...lines: string[]): void => void socket.write(lines.map((one) => `${one}\r\n`).join(""));
  const greet = (): void => reply(`:irc.fake 001 ${state.nick} :Welcome`, `:irc.fake 376 ${state.nick} :End of MOTD`);
  switch (command) {
    case "CAP":
      if (rest[0] === "LS") return reply(":irc.fake CAP * LS :message-tags account-tag server-time sasl=PLAIN");
      if (rest[0] === "REQ") return reply(`:irc.fake CAP * ACK ${rest.slice(1).join(" ")}`);
      return greet();
    case "AUTHENTICATE": {
      if (rest[0] === "PLAIN") return reply("AUTHENTICATE +");
      const [, , password] = Buffer.from(rest[0] ?? "", "base64")
        .toString("utf8")
        .split("\0");
      return reply(password === state.password ? `:irc.fake 903 * :ok` : `:irc.fake 904 * :SASL authentication failed`);
    }
    case "NICK":
      return void (state.nick = rest[0] ?? "");
    case "JOIN":
      return void state.joined.add(rest[0] ?? "");
    case "PRIVMSG":
      return said(line, state, socket);
    case "PING":
      return confirmed((rest[0] ?? "").slice(1), state, socket);
    default:
      return undefined;
  }
}

/** A line is all that there is. */
const WIRE = {
  tells: "socket",
  threads: { none: "a line has a channel or a nick as its target, and nothing below it" },
} as const;

const nickOf = ({ person = "501" }: Writing): string => `p${person}`;
const channelOf = (group: string): string => `#c${group.replace("-", "")}`;

export async function startFakeIrc(
  settings: object = {},
  password?: string,
): Promise<VendorWorld & { send(line: string): void; joined: ReadonlySet<string> }> {
  const state: State = {
    messages: [],
    group: undefined,
    sockets: new Set(),
    joined: new Set(),
    nick: "",
    due: [],
    numbers: 0,
    password,
  };
  const server = createServer((socket) => {
    state.sockets.add(socket);
    let rest = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = `${rest}${chunk}`.split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) answer(line, state, socket);
    });
    socket.on("error", () => undefined);
    socket.once("close", () => state.sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const send = (line: string): void => {
    for (const socket of state.sockets) socket.write(`${line}\r\n`);
  };
  const written: string[] = [];
  const { port } = server.address() as AddressInfo;
  return {
    send,
    joined: state.joined,
    settings: ChannelSettings.parse({
      kind: "irc",
      host: "127.0.0.1",
      port,
      tls: false,
      nick: "holdpoint",
      linesPerSecond: 10_000,
      ...settings,
    }),
    vendor: {
      groupId: channelOf,
      conversation: (of) => (of.group === undefined ? nickOf(of) : channelOf(of.group)),
      write(text, by = {}) {
        const target = by.group === undefined ? state.nick : channelOf(by.group);
        const named = by.mentions === true ? `${state.nick}: ${text}` : text;
        written.push(`@msgid=m${++state.numbers} :${nickOf(by)}!user@host PRIVMSG ${target} :${named}`);
        send(written.at(-1) ?? "");
      },
      press: () => undefined,
      sendAgain: (count) => (count === 0 ? [] : written.slice(-count)).forEach(send),
      acknowledged: () => 0,
      messages: (conversation) => state.messages.filter(({ target }) => target === conversation),
      ...WIRE,
      toasts: () => [],
      limit: (afterMs, times) => void state.due.push(...Array.from({ length: times }, () => ({ afterMs }))),
      cut: (when) => void state.due.push(when),
      refuseFiles: () => undefined,
      remove: () => undefined,
      connections: () => state.sockets.size,
      async close() {
        for (const socket of state.sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    },
  };
}
