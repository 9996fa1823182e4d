/** What a browser sends when our page logs it in, header by header, so that a test can leave out or forge any of them. */
import { request } from "node:http";
import { WebSocket } from "ws";
import { PROTOCOL_VERSION } from "../../src/protocol/frames.ts";
import type { Scope } from "../../src/protocol/actor.ts";
import { present, type ServedGateway } from "./served-gateway.ts";

export type HttpReply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };

export function httpRequest(
  url: string,
  { method = "GET", headers = {}, body = "" }: { method?: string; headers?: NodeJS.Dict<string>; body?: string } = {},
): Promise<HttpReply> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("end", () => {
        const { statusCode = 0, headers: got } = response;
        resolve({ status: statusCode, headers: got, body: Buffer.concat(chunks).toString("utf8") });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

export type Browser = { cookie: string; browserSecret: string; tabSecret: string; device: string; setCookie: string };

/** As our own page asks; `headers` stand above what a browser would send, undefined leaves one out. */
export function ask(
  gateway: Pick<ServedGateway, "url">,
  path: string,
  { body, headers = {} }: { body: unknown; headers?: NodeJS.Dict<string> },
): Promise<HttpReply> {
  const own = { origin: gateway.url, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return httpRequest(`${gateway.url}${path}`, { method: "POST", headers: { ...own, ...headers }, body: text });
}

export async function linkCode(gateway: ServedGateway, scopes?: Scope[], name?: string): Promise<string> {
  const operator = present(await gateway.tokens.authenticate(await gateway.token(scopes, name)));
  return (await gateway.logins.link(operator)).fragment.replace("#login=", "");
}

export async function logIn(gateway: ServedGateway, code?: string): Promise<Browser> {
  const reply = await ask(gateway, "/auth/exchange", { body: { code: code ?? (await linkCode(gateway)) } });
  if (reply.status !== 200) throw new Error(`not logged in: ${reply.status} ${reply.body}`);
  const { browserSecret, tabSecret, operator } = JSON.parse(reply.body) as Record<string, string> & {
    operator: { device: string };
  };
  const [setCookie = ""] = reply.headers["set-cookie"] ?? [];
  const cookie = setCookie.split(";")[0] ?? "";
  return {
    cookie,
    setCookie,
    browserSecret: present(browserSecret),
    tabSecret: present(tabSecret),
    device: operator.device,
  };
}

export type Shaken = {
  answer: { ok: boolean; payload?: unknown; error?: unknown };
  closed: Promise<number>;
  close(): void;
};

/** The handshake of a tab. */
export async function shakeAsTab(
  gateway: Pick<ServedGateway, "url">,
  auth: object,
  headers: NodeJS.Dict<string>,
): Promise<Shaken> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const socket = new WebSocket(`${gateway.url.replace(/^http/, "ws")}/ws`, { headers: sent as Record<string, string> });
  const closed = Promise.withResolvers<number>();
  socket.on("close", (code: number) => closed.resolve(code));
  const answer = Promise.withResolvers<Shaken["answer"]>();
  socket.on("error", answer.reject);
  socket.on("message", (data: Buffer) => answer.resolve(JSON.parse(data.toString("utf8")) as Shaken["answer"]));
  socket.on("open", () => {
    const client = { name: "page", version: "0", surface: "web" };
    const params = { minProtocol: PROTOCOL_VERSION, maxProtocol: PROTOCOL_VERSION, client, auth };
    socket.send(JSON.stringify({ type: "req", id: "1", method: "connect", params }));
  });
  return { answer: await answer.promise, closed: closed.promise, close: () => socket.close() };
}
