/**
 * One GET or HEAD with its redirects, within limits of time, size and growth. The socket is opened to an address that
 * was checked, not to a name: a name that resolves differently between the check and the connection changes nothing.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Readable, Transform } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Destination, judgeDestination, type Resolver, type WebRules } from "./destination.ts";

const REDIRECTS_MAX = 5;
export const WIRE_BYTES_MAX = 5 * 1_024 * 1_024;
export const BODY_BYTES_MAX = 10 * 1_024 * 1_024;
/** Text shrinks by ten, markup by thirty; what shrinks by more is a decompression bomb. */
const RATIO_MAX = 100;
/** Below this a high ratio does no harm. */
const RATIO_FROM_BYTES = 512 * 1_024;
const HEADER_BYTES_MAX = 64 * 1_024;
const ADDRESSES_TRIED_MAX = 3;
const USER_AGENT = "holdpoint (web_fetch; reads pages for a person's agent)";

/** Opens a connection to a checked address. Tests lead it to a server of their own. */
export type Dial = (to: { address: string; port: number }) => Socket;

export type WebAccess = { rules: WebRules; resolve: Resolver; dial: Dial };

export type Page = {
  url: string;
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
  redirects: string[];
};
export type Got = { ok: true; page: Page } | { ok: false; error: string };

export type Order = {
  url: string;
  method: "GET" | "HEAD";
  /** Whether this call may reach its host where that is one of the private ones of the settings. */
  exceptions: boolean;
  /** Ends everything: a person's stop or the time limit. */
  signal: AbortSignal;
};

/** The other end did something that ends the fetch; the message is for the model. */
class FetchFailure extends Error {}

export async function getPage(order: Order, access: WebAccess): Promise<Got> {
  const redirects: string[] = [];
  let next = order.url;
  try {
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      const judged = await unlessAborted(
        judgeDestination(next, { ...access, exceptions: order.exceptions && isSamePlace(next, order.url) }),
        order.signal,
      );
      if (!judged.ok)
        return { ok: false, error: hops === 0 ? judged.error : `It redirects to ${shown(next)}: ${judged.error}` };
      const page = await requestOnce(judged.destination, order, access);
      const target = redirectOf(page);
      if (target === undefined) return { ok: true, page: { ...page, redirects } };
      redirects.push(target);
      next = target;
    }
    return { ok: false, error: `It redirects more than ${REDIRECTS_MAX} times.` };
  } catch (error) {
    if (order.signal.aborted) return { ok: false, error: "It did not answer in time, or was stopped." };
    if (error instanceof FetchFailure) return { ok: false, error: error.message };
    return { ok: false, error: `The host could not be reached (${codeOf(error)}).` };
  }
}

/** What was judged, and perhaps signed, is the host of the call; a private host must not lead on to another. */
const isSamePlace = (next: string, first: string): boolean => URL.parse(next)?.host === URL.parse(first)?.host;

/** Looking up a name has no time limit of its own. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new FetchFailure("stopped"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const shown = (url: string): string => url.slice(0, 200);
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no connection";

type Answer = Omit<Page, "redirects">;

function redirectOf({ status, headers, url }: Answer): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined;
  return URL.parse(headers.location, url)?.href ?? headers.location;
}

/** The first of the checked addresses that answers. */
async function requestOnce(to: Destination, order: Order, { dial }: WebAccess): Promise<Answer> {
  let failure: unknown;
  for (const address of to.addresses.slice(0, ADDRESSES_TRIED_MAX)) {
    try {
      return await exchange(to, order, dial({ address, port: to.port }));
    } catch (error) {
      if (order.signal.aborted || error instanceof FetchFailure) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function exchange(to: Destination, { method, signal }: Order, socket: Socket): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = to.url.protocol === "https:";
  socket.on("error", reject);
  const connection = isSecure ? tlsConnect({ socket, servername: to.host, ALPNProtocols: ["http/1.1"] }) : socket;
  const request = (isSecure ? httpsRequest : httpRequest)({
    method,
    host: to.host,
    port: to.port,
    path: `${to.url.pathname}${to.url.search}`,
    headers: {
      host: to.url.host,
      "user-agent": USER_AGENT,
      accept: "text/html, text/plain, text/markdown, application/json, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      connection: "close",
    },
    maxHeaderSize: HEADER_BYTES_MAX,
    createConnection: () => connection, // no agent, no proxy and no look-up stand between this request and its address
    signal,
  });
  request.on("response", resolve);
  request.on("error", reject);
  request.end();
  try {
    const response = await promise;
    const status = response.statusCode ?? 0;
    const head = { url: to.url.href, status, headers: response.headers };
    const isWanted = method === "GET" && redirectOf({ ...head, body: EMPTY }) === undefined;
    return { ...head, body: isWanted ? await bodyOf(response) : EMPTY };
  } finally {
    request.destroy();
    socket.destroy();
  }
}

const EMPTY = Buffer.alloc(0);

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const wire = { bytes: 0 };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of plain(response, wire)) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new FetchFailure(`Its content is larger than ${BODY_BYTES_MAX} bytes.`);
    if (bytes > RATIO_FROM_BYTES && bytes > wire.bytes * RATIO_MAX)
      throw new FetchFailure("Its content unpacks to far more than was sent.");
  }
  return Buffer.concat(chunks);
}

/** The content as it was before it was packed; `wire` counts the bytes received. */
function plain(response: IncomingMessage, wire: { bytes: number }): Readable {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      wire.bytes += chunk.length;
      const tooMuch = new FetchFailure(`It sends more than ${WIRE_BYTES_MAX} bytes.`);
      done(wire.bytes > WIRE_BYTES_MAX ? tooMuch : null, chunk);
    },
  });
  const unpack = unpackerFor((response.headers["content-encoding"] ?? "identity").trim().toLowerCase());
  return unpack === undefined ? pipeline(response, counter, ended) : pipeline(response, counter, unpack, ended);
}

/** Nothing to do: a failure on either side ends all of them and comes out of the loop that reads. */
const ended = (): undefined => undefined;

function unpackerFor(encoding: string) {
  switch (encoding) {
    case "identity":
    case "":
      return undefined;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      throw new FetchFailure(`Its content is packed in a way that was not asked for (${encoding.slice(0, 40)}).`);
  }
}
