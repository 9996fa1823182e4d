import { afterEach, describe, expect, it } from "vitest";
import { rawRequest, rawSocket, UPGRADE } from "../../test/kit/raw-socket.ts";
import { type ServedGateway, serveGateway, type ServedOptions } from "../../test/kit/served-gateway.ts";
import { PLAIN_CONNECTIONS_MAX } from "./plain-connections.ts";
import { UNAUTHENTICATED_MAX } from "./socket/sockets.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());
const serve = async (options?: ServedOptions): Promise<ServedGateway> => (gateway = await serveGateway(options));

describe("connections that have shown no token", () => {
  it("[GW-05] keeps the places of operators for operators, however many connect and say nothing", async () => {
    await serve({ settings: { connectionsMax: 2 } });
    const lines = ["GET /ws HTTP/1.1", `Host: 127.0.0.1:${gateway.port}`, ...UPGRADE, "", ""].join("\r\n");
    const silent = await Promise.all(
      Array.from({ length: UNAUTHENTICATED_MAX + 20 }, async () => {
        const socket = await rawSocket(gateway.port);
        socket.write(lines);
        await socket.until((received) => received.includes("\r\n\r\n"));
        return socket;
      }),
    );
    const [alice, bob] = [await gateway.client(), await gateway.client()];
    expect([(await alice.must("health", {})).ready, (await bob.must("health", {})).ready]).toEqual([true, true]);
    for (const socket of silent) socket.destroy();
  });

  it.each([
    ["head", "GET /healthz HTTP/1.1\r\nHost: "],
    ["body", "POST /auth/exchange HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 900\r\n\r\n{"],
  ])("[GW-05] connections that never finish the %s of a request make room for those that do", async (_part, begun) => {
    await serve();
    const half = await Promise.all(
      Array.from({ length: PLAIN_CONNECTIONS_MAX + 20 }, async () => {
        const socket = await rawSocket(gateway.port);
        socket.write(begun.replace("PORT", String(gateway.port)));
        return socket;
      }),
    );
    await Promise.all(half.slice(0, 20).map((socket) => socket.ended)); // the first ones had to go
    expect((await rawRequest(gateway.port, ["GET /healthz HTTP/1.1", `Host: 127.0.0.1:${gateway.port}`])).status).toBe(
      200,
    );
    const slow = await rawSocket(gateway.port); // an operator's browser that has connected and asks in a moment
    const more = await Promise.all(Array.from({ length: 60 }, () => rawSocket(gateway.port)));
    slow.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n\r\n`);
    expect((await slow.until((received) => received.includes("\r\n\r\n"))).toString()).toContain("200 OK");
    for (const socket of [...half, ...more, slow]) socket.destroy();
  });
});
