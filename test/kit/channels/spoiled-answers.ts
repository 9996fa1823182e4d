/** Answers that no vendor documents and every vendor gives one day: a fake server gives them to whatever is asked until told otherwise. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** `breaks`: the connection is reset in the middle of the body. */
export type SpoiledAnswer = { status: number; headers?: Record<string, string>; body: string; breaks?: true };

const HTML = "<!doctype html><html><body><h1>We will be right back</h1></body></html>";

export const SPOILED = {
  failure: { status: 500, body: "" },
  page: { status: 200, headers: { "content-type": "text/html" }, body: HTML },
  badGateway: { status: 502, headers: { "content-type": "text/html" }, body: HTML },
  half: { status: 200, body: '{"ok":true,"result":{"mess' },
  empty: { status: 200, body: "" },
  wrongShape: { status: 200, body: '[null,{"id":{}}]' },
  redirect: { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" }, body: "" },
  reset: { status: 200, body: '{"ok":true', breaks: true },
  tooMany: { status: 429, body: "" },
  tooManyWait: { status: 429, headers: { "retry-after": "7" }, body: "" },
  tooManyForEver: { status: 429, headers: { "retry-after": "99999999999" }, body: "" },
  tooManyNonsense: { status: 429, headers: { "retry-after": "soon" }, body: "" },
} as const satisfies Record<string, SpoiledAnswer>;

const spoiled = new Map<number, SpoiledAnswer>();

/** All servers of this machine that the settings name; undefined: they answer as they should again. */
export function spoil(settings: object, answer: SpoiledAnswer | undefined): void {
  for (const [, port] of JSON.stringify(settings).matchAll(/http:\/\/127\.0\.0\.1:(\d+)/g))
    if (answer === undefined) spoiled.delete(Number(port));
    else spoiled.set(Number(port), answer);
}

/** True where the answer was given here. */
export function answeredSpoiled(request: IncomingMessage, response: ServerResponse): boolean {
  const answer = spoiled.get(request.socket.localPort ?? 0);
  if (answer === undefined) return false;
  const { status, headers = {}, body, breaks = false } = answer;
  request.resume();
  request.once("end", () => {
    const length = breaks ? { "content-length": body.length + 100 } : {};
    response.writeHead(status, { "content-type": "application/json", ...headers, ...length });
    if (breaks) response.write(body, () => request.socket.resetAndDestroy());
    else response.end(body);
  });
  return true;
}
