/** A mail provider on this machine: smtp-server takes what we send, hoodiecrow-imap holds what people send us. */
import type { AddressInfo, Server, Socket } from "node:net";
import type { Readable } from "node:stream";
import { createRequire } from "node:module";
import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import type { Account } from "../../../src/channels/bridge/account.ts";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";

const MAILBOX = { address: "hold@gateway.example", user: "testuser", password: "testpass" };
const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' };
const unescaped = (text: string): string => text.replace(/&(?:lt|gt|amp|quot);/g, (entity) => ENTITIES[entity] ?? "");

type Imap = {
  server: Server;
  listen(port: number, host: string, done: () => void): void;
  close(done: () => void): void;
  appendMessage(mailbox: string, flags: string[], date: string, raw: string): void;
};
const hoodiecrow = createRequire(import.meta.url)("hoodiecrow-imap") as (options: object) => Imap;

type Got = SeenMessage & { to: string };

/** As a reader of the HTML part sees it. */
function seen(mail: ParsedMail): Got {
  const html = typeof mail.html === "string" ? mail.html : "";
  const [, content = ""] = /<div id="holdpoint">(.*?)<\/div>/s.exec(html) ?? [];
  const raw = content.replaceAll("<br>\n", "\n");
  const links = [...html.matchAll(/<a href="([^"]+)">([^<]*)<\/a>/g)];
  const [file] = mail.attachments;
  const to = (mail.to as AddressObject | undefined)?.value[0]?.address ?? "";
  return {
    id: mail.messageId ?? "",
    to,
    text: unescaped(raw.replace(/<\/?(?:b|s|code)>/g, "")),
    raw,
    buttons: links.map(([, url = "", label = ""]) => ({ label: unescaped(label), data: unescaped(url) })),
    ...(file === undefined ? {} : { file: { name: file.filename ?? "", text: file.content.toString("utf8") } }),
  };
}

type State = {
  messages: Got[];
  due: ("before" | "after" | { afterMs: number })[];
  refusesFiles: boolean;
  uids: number;
  toasts: string[];
  presses: (() => Promise<void>)[];
  /** The last one to the SMTP server. */
  connection: Socket | undefined;
};

const fail = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

/** What the server answers to a mail; null: it breaks the connection instead. */
async function received(stream: Readable, state: State): Promise<Error | undefined | null> {
  const next = state.due.shift();
  const mail = await simpleParser(stream, { skipTextToHtml: true });
  if (typeof next === "object")
    return fail(450, `4.7.1 Too many messages, try again in ${next.afterMs / 1_000} seconds`);
  if (state.refusesFiles && mail.attachments.length > 0) return fail(552, "5.3.4 No attachments here");
  if (next !== "before") state.messages.push(seen(mail));
  return next === undefined ? undefined : null;
}

const smtpServer = (state: State): SMTPServer =>
  new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, _session, done) {
      const answer = await received(stream, state);
      if (answer === null) state.connection?.destroy();
      else done(answer);
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === MAILBOX.user && password === MAILBOX.password;
      done(isRight ? null : new Error("535 5.7.8 wrong password"), { user: username });
    },
  });

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** Both servers, and the connections that are open to the second. */
async function startServers(state: State) {
  const smtp = smtpServer(state);
  const imap = hoodiecrow({ plugins: ["IDLE"], storage: { INBOX: { uidnext: 1, uidvalidity: 7, messages: [] } } });
  const sockets = new Set<Socket>();
  imap.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => imap.listen(0, "127.0.0.1", resolve));
  const smtpSocket = smtp.server;
  smtpSocket.on("connection", (socket: Socket) => (state.connection = socket));
  return {
    imap,
    sockets,
    ports: { smtpPort: portOf(smtpSocket), imapPort: portOf(imap.server) },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => smtp.close(resolve));
      await new Promise<void>((resolve) => imap.close(resolve));
    },
  };
}

const addressOf = ({ person = "501" }: Writing): string => `p${person}@people.example`;

export function mailFrom(text: string, by: Writing & { headers?: string[] } = {}): string {
  const reply = by.replyTo === undefined ? [] : [`In-Reply-To: ${by.replyTo}`];
  return [
    ...(by.headers ?? []),
    `From: "${by.name ?? "Alice"}" <${addressOf(by)}>`,
    `To: ${MAILBOX.address}`,
    "Subject: Re: plan",
    `Message-ID: <${Math.random().toString(36).slice(2)}@people.example>`,
    ...reply,
    ...(by.file === undefined ? ["Content-Type: text/plain; charset=utf-8", "", text, ""] : partsOf(text, by.file)),
  ].join("\r\n");
}

const partsOf = (text: string, { name, text: inside }: NonNullable<Writing["file"]>): string[] => [
  'Content-Type: multipart/mixed; boundary="part"',
  "",
  "--part",
  "Content-Type: text/plain; charset=utf-8",
  "",
  text,
  "--part",
  "Content-Type: text/markdown",
  `Content-Disposition: attachment; filename="${name}"`,
  "Content-Transfer-Encoding: base64",
  "",
  ...(Buffer.from(inside)
    .toString("base64")
    .match(/.{1,76}/g) ?? []),
  "--part--",
  "",
];

const settingsFor = (ports: object, settings: object): VendorWorld["settings"] =>
  ChannelSettings.parse({
    kind: "email",
    address: MAILBOX.address,
    user: MAILBOX.user,
    password: MAILBOX.password,
    smtpHost: "127.0.0.1",
    smtpSecurity: "none",
    imapHost: "127.0.0.1",
    imapSecurity: "none",
    ...ports,
    linkSecret: "a long random text",
    trustedServers: ["mx.gateway.example"],
    ...settings,
  });

export async function startFakeMail(settings: object = {}): Promise<
  VendorWorld & {
    append(raw: string): void;
    open(url: string, method: string, body?: string): Promise<{ status: number; body: string }>;
  }
> {
  const state: State = {
    messages: [],
    due: [],
    refusesFiles: false,
    uids: 0,
    toasts: [],
    presses: [],
    connection: undefined,
  };
  const { imap, sockets, ports, close } = await startServers(state);
  let webhook: Account["webhook"] | undefined;
  const append = (raw: string): void => {
    state.uids += 1;
    imap.appendMessage("INBOX", [], "05-Jan-2026 09:00:00 +0000", raw);
  };
  async function open(url: string, method: string, body = "") {
    const { pathname, search } = new URL(url);
    const path = pathname.replace("/hooks/email/main", "");
    const answer = await webhook?.({
      method,
      path,
      query: search.slice(1),
      headers: {},
      body: new TextEncoder().encode(body),
    });
    return { status: answer?.status ?? 404, body: answer?.body ?? "" };
  }
  const press = (url: string, body = ""): void => {
    const once = async (): Promise<void> => {
      await open(url, "GET");
      const { body: page } = await open(url, "POST", body);
      state.toasts.push(unescaped(/<p>(.*)<\/p>/.exec(page)?.[1] ?? ""));
    };
    state.presses.push(once);
    void once();
  };
  return {
    append,
    open,
    settings: settingsFor(ports, settings),
    vendor: {
      attach: (given) => void (webhook = given),
      conversation: addressOf,
      write: (text, by = {}) => append(mailFrom(text, by)),
      press: ({ buttons }, n) => press(buttons[n]?.data ?? ""),
      async submit({ buttons }, n, { words }) {
        press(buttons[n]?.data ?? "", new URLSearchParams({ text: words }).toString());
      },
      sendAgain: (count) => (count === 0 ? [] : state.presses.slice(-count)).forEach((once) => void once()),
      acknowledged: (cursor) => Number(cursor?.split(":")[1] ?? 0),
      messages: (conversation) => state.messages.filter(({ to }) => to === conversation),
      tells: "socket",
      threads: { none: "a mail names the one that it answers, and goes to the same address" },
      toasts: () => state.toasts,
      limit: (afterMs, times) => void state.due.push(...Array.from({ length: times }, () => ({ afterMs }))),
      cut: (when) => void state.due.push(when),
      refuseFiles: () => void (state.refusesFiles = true),
      remove: () => undefined,
      connections: () => sockets.size,
      close,
    },
  };
}
