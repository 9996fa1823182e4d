/** One request to a vendor's HTTP API. What fails on the way is a SendError that says whether the vendor may have taken it. */
import type { z } from "zod";
import { SendError } from "../port.ts";

export type VendorRequest = {
  /** Whom people are told about. */
  title: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  json?: unknown;
  body?: URLSearchParams | FormData | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
};

/** `body`: what the JSON says, undefined where it is none. */
export type VendorAnswer = { status: number; headers: Headers; body: unknown };

export async function vendorRequest(url: string, request: VendorRequest): Promise<VendorAnswer> {
  const { title, method = "POST", headers = {}, json, signal } = request;
  const body = json === undefined ? request.body : JSON.stringify(json);
  const type = json === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: "error", // a token is sent to the address that was configured and to no other
      signal,
    });
    return { status: answer.status, headers: answer.headers, body: jsonIn(await answer.text()) };
  } catch (error) {
    throw new SendError(`${title} could not be reached.`, { retry: "later", maybeSent: !isNotConnected(error) });
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NOT_CONNECTED: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** No connection was made, so nothing was sent. */
function isNotConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && NOT_CONNECTED.includes(cause.code);
}

/** What the vendor said, as it must be; one that cannot be read leaves open what the vendor did. */
export function answerIn<Shape extends z.ZodType>(title: string, body: unknown, shape: Shape): z.infer<Shape> {
  const { data, success } = shape.safeParse(body);
  if (success) return data;
  throw new SendError(`${title} answered something that cannot be read.`, { retry: "later", maybeSent: true });
}

const MS = 1_000;

/** What a status other than 2xx means. A credential that is not accepted is repaired by a person: nothing is given up for it. */
export function refusedBy(title: string, { status, headers }: VendorAnswer, detail: string): SendError {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const after = Number.isFinite(seconds) ? { afterMs: Math.ceil(seconds * MS) } : {};
  const isUnclear = status < 300 || status >= 500; // a page in between may have answered in the vendor's place
  const isLater = isUnclear || status < 400 || status === 429 || status === 401 || status === 408;
  return new SendError(`${title}: ${detail === "" ? `status ${status}` : detail}`, {
    retry: isLater ? "later" : "never",
    ...after,
    maybeSent: isUnclear,
  });
}

export const isOk = ({ status }: VendorAnswer): boolean => status >= 200 && status < 300;
