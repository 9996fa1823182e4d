/** What fake vendors have in common: a server on this machine, sockets, and the troubles that the contract asks for. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { answeredSpoiled } from "./spoiled-answers.ts";

export type FakeCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** Undefined where the body is no JSON. */
  json: unknown;
  form(): Promise<FormData>;
  /** Resolves when whoever asked is gone. */
  gone: Promise<void>;
};

/** `cut`: the connection breaks instead of an answer. */
export type FakeAnswer = { status?: number; headers?: Record<string, string>; json?: unknown; bytes?: Buffer } | "cut";

export type FakeHttp = {
  url: string;
  /** The same, for sockets. */
  socketUrl: string;
  sockets: Set<WebSocket>;
  /** Keeps a file that somebody sent, and says where it can be loaded; with `authorization` only by who shows it. */
  offer(text: string, authorization?: string): string;
  close(): Promise<void>;
};

export type FakeHttpParts = {
  answer(call: FakeCall): FakeAnswer | Promise<FakeAnswer>;
  onSocket?(socket: WebSocket, headers: IncomingHttpHeaders): void;
};

export async function startFakeHttp({ answer, onSocket }: FakeHttpParts): Promise<FakeHttp> {
  const files = new Map<string, { text: string; authorization: string | undefined }>();
  const server = createServer((request, response) => {
    if (answeredSpoiled(request, response)) return;
    const chunks: Buffer[] = [];
    const gone = Promise.withResolvers<void>();
    response.once("close", () => gone.resolve());
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://fake");
      const { method = "GET", headers } = request;
      const bytes = Buffer.concat(chunks);
      const call = { method, path, query, headers, bytes, json: jsonIn(bytes), gone: gone.promise };
      const form = () =>
        new Response(new Uint8Array(bytes), {
          headers: { "content-type": String(headers["content-type"]) },
        }).formData();
      const reply = (given: FakeAnswer): void => {
        if (given === "cut") return void request.socket.destroy();
        response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
        response.end(given.bytes ?? (given.json === undefined ? "" : JSON.stringify(given.json)));
      };
      const file = files.get(path);
      if (file !== undefined) {
        const isAllowed = file.authorization === undefined || file.authorization === headers.authorization;
        return reply(isAllowed ? { bytes: Buffer.from(file.text) } : { status: 403 });
      }
      void Promise.resolve(answer({ ...call, form })).then(reply, (error: unknown) =>
        response.writeHead(500).end(String(error)),
      );
    });
  });
  const sockets = new Set<WebSocket>();
  const socketServer = new WebSocketServer({ server });
  socketServer.on("connection", (socket, { headers }) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    onSocket?.(socket, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    sockets,
    offer(text, authorization) {
      const path = `/sent/${files.size}`;
      files.set(path, { text, authorization });
      return `http://127.0.0.1:${port}${path}`;
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      socketServer.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

export type Troubles = {
  limit(afterMs: number, times: number): void;
  cut(when: "before" | "after"): void;
  refuseFiles(): void;
  filesRefused(): boolean;
  /** Carries out a send with the next trouble, if one is due. */
  around(take: () => FakeAnswer | Promise<FakeAnswer>): Promise<FakeAnswer>;
};

/** `tooMany`: how this vendor says that it was too much. */
export function createTroubles(tooMany: (afterMs: number) => FakeAnswer): Troubles {
  const due: ({ afterMs: number } | "before" | "after")[] = [];
  let isRefusing = false;
  return {
    limit: (afterMs, times) => void due.push(...Array.from({ length: times }, () => ({ afterMs }))),
    cut: (when) => void due.push(when),
    refuseFiles: () => void (isRefusing = true),
    filesRefused: () => isRefusing,
    async around(take) {
      const next = due.shift();
      if (next === undefined) return take();
      if (typeof next === "object") return tooMany(next.afterMs);
      if (next === "after") await take();
      return "cut";
    },
  };
}

/** Reads a field of what came in, which a fake trusts no more than a vendor does. */
export const field = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
export const textField = (value: unknown, ...path: (string | number)[]): string => {
  const found = field(value, ...path);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
};
