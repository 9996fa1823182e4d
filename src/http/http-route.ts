/** A plain HTTP route that another part answers: the page, the log-in, plugins, shared plans. */
import type { IncomingHttpHeaders } from "node:http";

export type HttpRequest = {
  method: string;
  /** As it was checked: without host and query, not decoded. */
  path: string;
  /** What follows the question mark, as it came. */
  query?: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The address of the socket's other end; headers that name another are the client's own words. */
  peer: string;
  /** The request comes from a page that this gateway serves: its Origin is one of our own names. */
  fromOwnPage: boolean;
  /** The request used the name localhost, which other programs on this machine may answer to as well. */
  byNickname: boolean;
};

export type HttpAnswer = {
  status: number;
  body: string | Buffer;
  /** What is sent after the body, piece by piece, as long as it lasts; left when the other end goes. */
  stream?: AsyncIterable<string>;
  /** Override the strict headers that every answer has. */
  headers?: Readonly<Record<string, string | string[]>>;
};

export type HttpRoute = {
  takes(path: string): boolean;
  /** Methods besides which everything is refused with 405. */
  methods: readonly string[];
  /** 0: no body is taken. */
  bodyBytesMax: number;
  answer(request: HttpRequest): Promise<HttpAnswer>;
};
