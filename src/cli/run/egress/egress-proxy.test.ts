/** The proxy of a kept run against names and requests that lead elsewhere than they say. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createPlainServer, connect, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { type Attempt, createEgress } from "./egress-proxy.ts";

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

async function world(resolve: (host: string) => string = () => "127.0.0.1") {
  const attempts: Attempt[] = [];
  const egress = createEgress({
    allows: () => true,
    log: (attempt) => void attempts.push(attempt),
    resolve: async (host) => resolve(host),
  });
  const server = createPlainServer();
  egress.serve(server);
  const port = await listening(server);
  async function says(request: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write(request);
    return text(socket);
  }
  return { says, attempts };
}

it("[IG-03] a name leads to none of this machine's addresses, however they are written, also not to those on its networks", async () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  const addresses = [
    ..."127.0.0.1 127.8.9.1 0.0.0.0 0.1.2.3 169.254.169.254 ::1 :: fe80::1".split(" "),
    ..."::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254 ::ffff:0.0.0.0".split(" "),
    ...own,
  ];
  let now = "";
  const { says, attempts } = await world(() => now);
  for (const address of addresses) {
    now = address;
    const said = await says("CONNECT name.example.org:9 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect([address, said.split("\r\n")[0], attempts.at(-1)?.outcome]).toEqual([
      address,
      "HTTP/1.1 403 Forbidden",
      "refused",
    ]);
  }
});

it("[IG-03] a request is for the host that was judged: another name in its headers does not reach the server", async () => {
  const hosts: (string | undefined)[] = [];
  const target = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end("yes");
  });
  const port = await listening(target);
  const { says } = await world();
  const request = `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: other.example.org\r\nConnection: close\r\n\r\n`;
  expect(await says(request)).toMatch(/^HTTP\/1\.1 200 OK[^]*yes/);
  expect(hosts).toEqual([`127.0.0.1:${port}`]);
});

it("[IG-03] what is no address of a host is refused", async () => {
  const { says } = await world();
  for (const line of [
    "CONNECT /etc/passwd",
    "CONNECT a:99999",
    "CONNECT :80",
    "GET file:///etc/passwd",
    "GET /status",
  ]) {
    const said = await says(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([line, /^HTTP\/1\.1 (?:400|403)/.test(said)]).toEqual([line, true]);
  }
});
