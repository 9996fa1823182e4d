import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { rawRequest, UPGRADE } from "../../test/kit/raw-socket.ts";
import { wireClient } from "../../test/kit/wire-client.ts";
import { present, type ServedGateway, serveGateway, type ServedOptions } from "../../test/kit/served-gateway.ts";
import { GUESSES_FREE } from "./guess-limit.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

const serve = async (options?: ServedOptions): Promise<ServedGateway> => (gateway = await serveGateway(options));
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${gateway.url}${path}`, { method, headers, redirect: "manual" });

describe("HTTP", () => {
  it("[GW-01] says that it is alive and ready, without a token and without details", async () => {
    await serve();
    expect(await (await get("/healthz")).json()).toEqual({ alive: true });
    expect(await (await get("/readyz")).json()).toEqual({ ready: true, store: { writable: true } });
  });

  it("[GW-01] is alive but not ready when its store cannot be written", async () => {
    await serve();
    await gateway.inner.close();
    expect((await get("/healthz")).status).toBe(200);
    const answer = await get("/readyz");
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, store: { writable: false } }]);
  });

  it("[GW-03] shows metrics to operators who may read, and to nobody else", async () => {
    await serve();
    const reader = await gateway.token(["operator.read"]);
    const nobody = await gateway.token([]);
    const statuses = await Promise.all(
      [
        {},
        { authorization: "Bearer wrong" },
        { authorization: `Bearer ${nobody}` },
        { authorization: `Basic ${reader}` },
      ].map(async (headers) => (await get("/metrics", { ...headers })).status),
    );
    expect(statuses).toEqual([401, 401, 403, 401]);
    const shown = await get("/metrics", { authorization: `Bearer ${reader}` });
    expect([shown.status, shown.headers.get("content-type"), await shown.text()]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "holdpoint_up 1\n",
    ]);
  });

  it("[GW-01] has nothing else: unknown pages 404, other verbs 405, WebSocket pages 426, all generic JSON", async () => {
    await serve();
    const answers = await Promise.all(
      [
        get("/"),
        get("/approve?id=1"),
        get("/healthz", {}, "POST"),
        get("/metrics", {}, "OPTIONS"),
        get("/ws"),
        get("/healthz", {}, "HEAD"),
      ].map(async (asked) => {
        const { status, headers } = await asked;
        return [status, headers.get("allow"), headers.get("access-control-allow-origin")];
      }),
    );
    expect(answers).toEqual([
      [404, null, null],
      [404, null, null],
      [405, "GET, HEAD", null],
      [405, "GET, HEAD", null],
      [426, null, null],
      [200, null, null],
    ]);
    expect(await (await get("/nothing")).json()).toEqual({ error: { message: "There is nothing here." } });
  });

  it("[GW-03] lets a browser keep, frame, run and pass on nothing", async () => {
    await serve();
    const { headers } = await get("/healthz");
    expect(
      Object.fromEntries(
        [...headers].filter(([name]) => !["date", "connection", "keep-alive", "content-length"].includes(name)),
      ),
    ).toEqual({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "content-type": "application/json; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  });

  it("[GW-05] takes no large body, whatever it is meant for", async () => {
    await serve();
    const status = await new Promise<number | undefined>((resolve) => {
      const sent = request(
        `${gateway.url}/healthz`,
        { method: "POST", headers: { "content-type": "application/json" } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      sent.on("error", () => resolve(undefined));
      sent.end(JSON.stringify({ filler: "x".repeat(4_096) }));
    });
    expect(status).toBe(413);
  });
});

describe("the door", () => {
  const HOSTS: [string, number][] = [
    ["127.0.0.1:PORT", 200],
    ["localhost:PORT", 200],
    ["LOCALHOST:PORT", 200],
    ["[::1]:PORT", 200],
    ["Gateway.Example", 200],
    ["gateway.example:PORT", 200],
    ["proxy.example:8443", 200],
    ["proxy.example", 421],
    ["127.0.0.1", 421],
    ["127.0.0.1:1", 421],
    ["localhost.:PORT", 421],
    ["0.0.0.0:PORT", 421],
    ["127.1:PORT", 421],
    ["[::ffff:127.0.0.1]:PORT", 421],
    ["evil.example:PORT", 421],
    ["gateway.example.evil.example", 421],
    ["", 421],
  ];

  it("[GW-03] answers only to its own names, so that no foreign name can be pointed at it", async () => {
    await serve({ settings: { allowedHosts: ["gateway.example", "proxy.example:8443"] } });
    for (const [host, expected] of HOSTS) {
      const lines = ["GET /healthz HTTP/1.1", `Host: ${host.replace("PORT", String(gateway.port))}`];
      const { status } = await rawRequest(gateway.port, lines);
      expect([host, status]).toEqual([host, expected]);
      const upgrade = await rawRequest(gateway.port, ["GET /ws HTTP/1.1", lines[1] ?? "", ...UPGRADE]);
      expect([host, upgrade.status]).toEqual([host, expected === 200 ? 101 : 421]);
    }
  });

  it("[GW-03] takes an absolute target only when both it and Host name the gateway", async () => {
    await serve();
    const own = `127.0.0.1:${gateway.port}`;
    const ask = async (target: string, ...hosts: string[]) =>
      (await rawRequest(gateway.port, [`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`)])).status;
    expect(await ask(`http://${own}/healthz`, own)).toBe(200);
    expect(await ask("http://evil.example/healthz", own)).toBe(421);
    expect(await ask(`http://${own}/healthz`, "evil.example")).toBe(421);
    expect(await ask("ftp://evil.example/healthz", own)).toBe(400);
    expect([400, 421]).toContain(await ask("/healthz", own, "evil.example"));
  });

  it("[GW-03] lets in programs and its own pages, and refuses every other page, null included", async () => {
    await serve({ settings: { allowedOrigins: ["https://gateway.example", "http://localhost:3000/"] } });
    const own = `127.0.0.1:${gateway.port}`;
    const origins: [string | undefined, number][] = [
      [undefined, 101],
      [`http://${own}`, 101],
      [`http://localhost:${gateway.port}`, 101],
      ["https://gateway.example", 101],
      ["http://localhost:3000", 101],
      ["null", 403],
      ["http://localhost:3001", 403],
      ["http://127.0.0.1", 403],
      ["https://gateway.example.evil.example", 403],
      ["https://evil.example", 403],
      [`http://${own}, https://evil.example`, 403],
      ["", 403],
    ];
    for (const [origin, expected] of origins) {
      const lines = [
        "GET /ws HTTP/1.1",
        `Host: ${own}`,
        ...UPGRADE,
        ...(origin === undefined ? [] : [`Origin: ${origin}`]),
      ];
      const { status, text } = await rawRequest(gateway.port, lines);
      expect([origin, status]).toEqual([origin, expected]);
      expect(text.toLowerCase()).not.toContain("access-control");
      const plain = await rawRequest(gateway.port, [
        "GET /healthz HTTP/1.1",
        `Host: ${own}`,
        ...(origin === undefined ? [] : [`Origin: ${origin}`]),
      ]);
      expect([origin, plain.status]).toEqual([origin, expected === 101 ? 200 : 403]);
    }
  });

  it("[GW-06] follows a changed list of origins without a restart", async () => {
    let allowedOrigins: string[] = [];
    const settings = {
      get allowedOrigins() {
        return allowedOrigins;
      },
    };
    await serve({ settings });
    const ask = () => get("/healthz", { origin: "https://late.example" }).then(({ status }) => status);
    expect(await ask()).toBe(403);
    allowedOrigins = ["https://late.example"];
    expect(await ask()).toBe(200);
  });

  it("[GW-03] refuses a token in an address, on every road, and logs none of it", async () => {
    await serve();
    const own = `Host: 127.0.0.1:${gateway.port}`;
    const secret = await gateway.token();
    const targets = [
      `/metrics?token=${secret}`,
      "/ui?access_token=SECRET1",
      "/x?a=1&%61pi_key=SECRET1",
      `/healthz?q=${secret}`,
      `/${secret}`,
    ];
    for (const target of targets) {
      expect([target, (await rawRequest(gateway.port, [`GET ${target} HTTP/1.1`, own])).status]).toEqual([target, 401]);
      expect([target, (await rawRequest(gateway.port, [`GET ${target} HTTP/1.1`, own, ...UPGRADE])).status]).toEqual([
        target,
        401,
      ]);
    }
    expect((await rawRequest(gateway.port, [`GET /ws?token=${secret} HTTP/1.1`, own, ...UPGRADE])).status).toBe(401);
    const logs = gateway.logged.join("");
    expect(logs.includes(secret) || logs.includes("SECRET1")).toBe(false);
  });

  it("[GW-03, RV-03] takes the random letters of a link for no token, whatever they spell", async () => {
    await serve();
    const own = `Host: 127.0.0.1:${gateway.port}`;
    const letters = (length: number) => "aB3-_xYz9Q".repeat(100).slice(0, length);
    const links = [
      `/share/hp_${letters(40)}`, // 43 letters: as long as a link's secret is
      `/share/${letters(20)}hp_${letters(20)}`,
      `/channels/mail/do?p=${letters(80)}hp_${letters(43)}&s=hp_${letters(40)}`,
      `/channels/mail/do?p=${letters(80)}-hp_${letters(200)}&s=${letters(43)}`,
    ];
    for (const link of links) {
      expect([link, (await rawRequest(gateway.port, [`GET ${link} HTTP/1.1`, own])).status]).toEqual([link, 404]);
    }
  });

  it("[GW-03] counts wrong tokens over HTTP and WebSocket together, by the peer and not by what it claims to be", async () => {
    let nowMs = 0;
    await serve({ now: () => nowMs });
    const metrics = (token: string, n: number) =>
      get("/metrics", {
        authorization: `Bearer ${token}`,
        "x-forwarded-for": `10.0.0.${n}`,
        "x-real-ip": `10.1.0.${n}`,
      }).then(({ status }) => status);
    expect([
      await metrics("a", 1),
      await metrics("b", 2),
      await metrics("c", 3),
      await metrics("d", 4),
      await metrics("e", 5),
    ]).toEqual([401, 401, 401, 401, 401]);
    expect(await metrics("f", 6)).toBe(429);
    await expect(wireClient({ url: gateway.url, token: "g" })).rejects.toThrow("RATE_LIMITED");
    nowMs += 1_000;
    expect(await metrics("h", 7)).toBe(401);
  });

  it("[GW-03] no number of wrong tokens keeps out a valid one from the same address", async () => {
    await serve({ now: () => 0 });
    const [secret, revoked] = [await gateway.token(), await gateway.token()];
    const metrics = (token: string) =>
      get("/metrics", { authorization: `Bearer ${token}` }).then(({ status }) => status);
    const tokens = await gateway.tokens.list();
    await gateway.tokens.revoke(present(tokens.at(-1)).id, "test");
    for (let n = 0; n < 3 * GUESSES_FREE; n += 1) await metrics(`guess${n}`);
    expect([await metrics("guess"), await metrics(revoked)]).toEqual([429, 429]);
    expect(await metrics(secret)).toBe(200);
    for (let n = 0; n < 3 * GUESSES_FREE; n += 1) await metrics(`guess${n}`);
    const client = await wireClient({ url: gateway.url, token: secret });
    expect((await client.must("health", {})).ready).toBe(true);
    client.close();
  });

  it("[GW-03] believes no header that names a person", async () => {
    await serve();
    const headers = { "x-forwarded-user": "admin", "x-remote-user": "admin", "tailscale-user-login": "admin" };
    expect((await get("/metrics", headers)).status).toBe(401);
  });
});
