import { afterEach, describe, expect, it } from "vitest";
import { ask, type Browser, httpRequest, linkCode, logIn, shakeAsTab } from "../../../test/kit/browser-login.ts";
import { present, type ServedGateway, serveGateway, type ServedOptions } from "../../../test/kit/served-gateway.ts";
import { CODE_MS_MAX } from "../../gateway/login/one-time-codes.ts";
import { LOGIN_IDLE_MS, LOGIN_MS_MAX } from "../../gateway/login/browser-logins.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { GUESSES_FREE } from "../guess-limit.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());
const serve = async (options?: ServedOptions): Promise<ServedGateway> => (gateway = await serveGateway(options));

const exchange = (code: string, headers: NodeJS.Dict<string> = {}) =>
  ask(gateway, "/auth/exchange", { body: { code }, headers });
const openTab = (
  { cookie, browserSecret }: Pick<Browser, "cookie" | "browserSecret">,
  headers: NodeJS.Dict<string> = {},
) => ask(gateway, "/auth/tab", { body: { browserSecret }, headers: { cookie, ...headers } });
const shake = ({ cookie, tabSecret }: Pick<Browser, "cookie" | "tabSecret">, headers: NodeJS.Dict<string> = {}) =>
  shakeAsTab(gateway, { tabSecret }, { cookie, origin: gateway.url, ...headers });
/** The code of a link that this browser asked for. */
async function linkBy({ cookie, tabSecret }: Browser): Promise<string> {
  const operator = await gateway.logins.identifyTab({ cookie: present(cookie.split("=")[1]), tabSecret });
  if ("notLoggedIn" in operator) throw new Error("not logged in");
  return (await gateway.logins.link(operator)).fragment.replace("#login=", "");
}
const codeOf = (body: string): unknown => (JSON.parse(body) as { error?: { code?: string } }).error?.code;

describe("a log-in link", () => {
  it("[GW-03] logs one browser in with the scopes of whoever made it, and works once", async () => {
    await serve();
    const code = await linkCode(gateway, ["operator.read", "operator.approvals"], "alice");
    expect(code).toMatch(/^[A-Za-z0-9_-]{24}$/); // 144 random bits
    const first = await exchange(code);
    expect(first.status).toBe(200);
    const [alice, browser] = await gateway.tokens.list();
    const device = present(browser?.device);
    expect(JSON.parse(first.body)).toEqual({
      browserSecret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      tabSecret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      operator: { id: alice?.id, name: "alice", scopes: ["operator.read", "operator.approvals"], device: browser?.id },
      expiresAtMs: gateway.clock.now() + LOGIN_IDLE_MS,
    });
    expect(device).toEqual({
      operatorId: alice?.id,
      seenAtMs: gateway.clock.now(),
      expiresAtMs: gateway.clock.now() + LOGIN_IDLE_MS,
    });
    const again = await exchange(code);
    expect([again.status, codeOf(again.body), again.headers["set-cookie"]]).toEqual([
      401,
      "UNAUTHENTICATED",
      undefined,
    ]);
  });

  it("[GW-03] is dead after ten minutes", async () => {
    await serve();
    const [early, late] = [await linkCode(gateway), await linkCode(gateway)];
    gateway.clock.advance(CODE_MS_MAX - 1);
    expect((await exchange(early)).status).toBe(200);
    gateway.clock.advance(1);
    expect((await exchange(late)).status).toBe(401);
  });

  it("[GW-03] gives a browser what its maker may, or less, never more", async () => {
    await serve();
    const client = await gateway.client(["operator.read", "operator.write"]);
    const { fragment } = await client.must("tokens.link", { scopes: ["operator.write", "operator.admin"] });
    const { status, body } = await exchange(fragment.replace("#login=", ""));
    const { operator } = JSON.parse(body) as { operator: { scopes: string[] } };
    expect([status, operator.scopes]).toEqual([200, ["operator.write"]]);
    client.close();
  });

  it("[GW-03] is worth nothing once its maker's token is revoked", async () => {
    await serve();
    const code = await linkCode(gateway);
    const [token] = await gateway.tokens.list();
    await gateway.tokens.revoke(present(token).id, "test");
    expect((await exchange(code)).status).toBe(401);
  });

  it("[GW-03] slows down whoever guesses codes, on every road in", async () => {
    await serve({ now: () => 0 });
    for (let n = 0; n < GUESSES_FREE; n += 1) expect((await exchange(`guess${n}`)).status).toBe(401);
    const locked = await exchange("one more");
    expect([locked.status, codeOf(locked.body), locked.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "1"]);
    const shaken = await shakeAsTab(gateway, { token: "guess" }, {});
    expect(shaken.answer.error).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("[GW-03] wrong codes from its address keep out neither it nor a browser that is logged in", async () => {
    await serve({ now: () => 0 });
    const [browser, code] = [await logIn(gateway), await linkCode(gateway)];
    const guess = async (): Promise<void> => {
      for (let n = 0; n < 2 * GUESSES_FREE; n += 1) await exchange(`guess${n}`);
      expect((await exchange("guess")).status).toBe(429);
    };
    await guess();
    expect((await openTab({ ...browser, browserSecret: "guess" })).status).toBe(429);
    expect((await openTab(browser)).status).toBe(200);
    const tab = await shake(browser);
    expect(tab.answer.ok).toBe(true);
    tab.close();
    expect((await exchange(code)).status).toBe(200);
    await guess();
    const { cookie, browserSecret } = browser;
    const out = await ask(gateway, "/auth/logout", { body: { browserSecret }, headers: { cookie } });
    expect(out.status).toBe(200);
  });

  it("[GW-03] replaces the log-in that the browser had before", async () => {
    await serve();
    const before = await logIn(gateway);
    const { cookie } = before;
    const again = await exchange(await linkCode(gateway), { cookie });
    expect(again.status).toBe(200);
    const devices = (await gateway.tokens.list()).filter(({ device }) => device !== null);
    expect(devices.map(({ id, revokedAtMs }) => [id === before.device, revokedAtMs !== null])).toEqual([
      [true, true],
      [false, false],
    ]);
  });
});

describe("the cookie", () => {
  it("[GW-03] is out of reach of scripts, other sites and other gateways on this machine", async () => {
    await serve();
    const { setCookie } = await logIn(gateway);
    const maxAge = LOGIN_IDLE_MS / 1_000;
    expect(setCookie).toMatch(
      new RegExp(`^holdpoint-${gateway.port}=[A-Za-z0-9_-]{43}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict$`),
    );
  });

  it("[GW-03] behind https has the prefix that binds it to this host, and is never sent in the clear", async () => {
    await serve({ settings: { allowedHosts: ["gateway.example"] } });
    const headers = { host: "gateway.example", origin: "https://gateway.example" };
    const { status, headers: got } = await exchange(await linkCode(gateway), headers);
    expect([status, got["set-cookie"]]).toEqual([
      200,
      [expect.stringMatching(/^__Host-holdpoint=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)],
    ]);
  });

  it("[GW-03] is kept as a hash, and is no token", async () => {
    await serve();
    const { cookie, browserSecret, tabSecret } = await logIn(gateway);
    const secret = present(cookie.split("=")[1]);
    const stored = JSON.stringify([
      await gateway.store.tokens(),
      await gateway.store.auditRows({ afterSeq: 0, limit: 50 }),
    ]);
    for (const hidden of [secret, browserSecret, tabSecret]) {
      expect(stored).not.toContain(hidden);
      expect(gateway.logged.join("")).not.toContain(hidden);
      expect(await gateway.tokens.authenticate(hidden)).toBeUndefined();
    }
    expect(stored).toContain("device.created");
  });

  it("[GW-03] counts for nothing when two of one name say different things", async () => {
    await serve();
    const { cookie, browserSecret } = await logIn(gateway);
    const tossed = `${cookie.split("=")[0]}=planted; ${cookie}`;
    expect((await openTab({ cookie: tossed, browserSecret })).status).toBe(401);
    expect((await openTab({ cookie: `theme=dark; ${cookie}`, browserSecret })).status).toBe(200);
  });
});

describe("a tab", () => {
  it("[GW-03] connects with its secret and its browser's cookie, in the name of the operator", async () => {
    await serve();
    const browser = await logIn(gateway);
    const { answer, close } = await shake(browser);
    const [alice] = await gateway.tokens.list();
    expect(answer).toMatchObject({
      ok: true,
      payload: { operator: { id: alice?.id, name: "alice", device: browser.device } },
    });
    close();
  });

  it("[GW-03] [GW-04] a cookie alone connects nobody: any server on this host may have been sent it", async () => {
    await serve();
    const browser = await logIn(gateway);
    const secret = present(browser.cookie.split("=")[1]);
    const attempts = [
      await shake({ ...browser, tabSecret: "guess" }),
      await shake({ ...browser, tabSecret: secret }),
      await shake({ ...browser, tabSecret: browser.browserSecret }),
      await shakeAsTab(gateway, { token: secret }, { cookie: browser.cookie, origin: gateway.url }),
    ];
    expect(attempts.map(({ answer }) => answer.error)).toEqual(
      attempts.map(() => expect.objectContaining({ code: "UNAUTHENTICATED" }) as unknown),
    );
    expect((await openTab({ ...browser, browserSecret: secret })).status).toBe(401);
    expect((await openTab({ ...browser, browserSecret: browser.tabSecret })).status).toBe(401);
  });

  it("[GW-03] its secret alone connects nobody either, nor with the cookie of another browser", async () => {
    await serve();
    const [mine, other] = [await logIn(gateway), await logIn(gateway)];
    const attempts = [await shake(mine, { cookie: undefined }), await shake({ ...mine, cookie: other.cookie })];
    expect(attempts.map(({ answer }) => answer.ok)).toEqual([false, false]);
    expect((await openTab({ ...mine, cookie: other.cookie })).status).toBe(401);
    expect((await openTab(mine, { cookie: undefined })).status).toBe(401);
  });

  it("[GW-03] only our own page connects with it: not another port of this host, not a page trusted for tokens", async () => {
    const settings = { allowedOrigins: ["https://trusted.example"] };
    await serve({ settings });
    const browser = await logIn(gateway);
    const strangers = [
      await shake(browser, { origin: undefined }),
      await shake(browser, { origin: "https://trusted.example" }),
    ];
    expect(strangers.map(({ answer }) => answer.ok)).toEqual([false, false]);
    await expect(shake(browser, { origin: "http://127.0.0.1:3000" })).rejects.toThrow("403");
    await expect(shake(browser, { origin: "null" })).rejects.toThrow("403");
  });

  it("[GW-03] another one of the same browser gets a secret of its own", async () => {
    await serve();
    const browser = await logIn(gateway);
    const reply = await openTab(browser);
    const { tabSecret, operator } = JSON.parse(reply.body) as { tabSecret: string; operator: { device: string } };
    expect([reply.status, operator.device, tabSecret === browser.tabSecret]).toEqual([200, browser.device, false]);
    const shaken = await shake({ ...browser, tabSecret });
    expect(shaken.answer.ok).toBe(true);
    shaken.close();
  });

  it("[GW-03] is told to ask for another secret after a restart, which counts as no guess", async () => {
    await serve();
    const browser = await logIn(gateway);
    const { inner, port } = gateway;
    await gateway.close();
    await serve({ store: inner, port });
    for (let n = 0; n <= GUESSES_FREE; n += 1) {
      const { answer } = await shake(browser);
      expect(answer.error).toMatchObject({ code: "UNAUTHENTICATED", details: { newTab: true } });
    }
    expect((await openTab(browser)).status).toBe(200);
  });
});

describe("a log-in ends", () => {
  it("[GW-03] when its browser is not used, at the latest after its maximum", async () => {
    await serve();
    const browser = await logIn(gateway);
    const madeAtMs = gateway.clock.now();
    for (let usedForMs = 0; usedForMs + LOGIN_IDLE_MS <= LOGIN_MS_MAX; usedForMs += LOGIN_IDLE_MS / 2) {
      gateway.clock.leap(LOGIN_IDLE_MS / 2);
      const reply = await openTab(browser);
      const { expiresAtMs } = JSON.parse(reply.body) as { expiresAtMs: number };
      expect([reply.status, expiresAtMs]).toEqual([
        200,
        Math.min(gateway.clock.now() + LOGIN_IDLE_MS, madeAtMs + LOGIN_MS_MAX),
      ]);
    }
    gateway.clock.leap(LOGIN_IDLE_MS);
    expect((await openTab(browser)).status).toBe(401);
    expect((await shake(browser)).answer.ok).toBe(false);
  });

  it("[GW-03] at once when it is revoked, and its operator's other connections stay", async () => {
    await serve();
    const client = await gateway.client();
    const { fragment } = await client.must("tokens.link", {});
    const browser = await logIn(gateway, fragment.replace("#login=", ""));
    const tab = await shake(browser);
    await client.must("tokens.revoke", { id: OperatorId.parse(browser.device) });
    expect(await tab.closed).toBe(1008);
    expect((await shake(browser)).answer.error).toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await openTab(browser)).status).toBe(401);
    expect((await client.must("health", {})).ready).toBe(true);
    client.close();
  });

  it("[GW-03] for good when it is revoked in the moment in which it is prolonged", async () => {
    await serve();
    const browser = await logIn(gateway);
    const cookie = present(browser.cookie.split("=")[1]);
    const { token, device } = present(await gateway.tokens.findDevice(cookie));
    gateway.clock.advance(LOGIN_IDLE_MS / 2);
    await gateway.tokens.revoke(token.id, "test");
    await gateway.tokens.prolong(token, { ...device, seenAtMs: gateway.clock.now() }); // as read before
    expect((await openTab(browser)).status).toBe(401);
    expect((await gateway.tokens.findDevice(cookie))?.ended).toBe(true);
  });

  it("[GW-03] at once when the token is revoked in whose name it was made", async () => {
    await serve();
    const browser = await logIn(gateway);
    const tab = await shake(browser);
    const [alice] = await gateway.tokens.list();
    await gateway.tokens.revoke(present(alice).id, "test");
    expect(await tab.closed).toBe(1008);
    expect((await openTab(browser)).status).toBe(401);
    expect((await gateway.tokens.list()).map(({ revokedAtMs }) => revokedAtMs)).toEqual([
      gateway.clock.now(),
      gateway.clock.now(),
    ]);
  });

  it("[GW-03] when the browser is revoked that made its link, to any depth; others of that operator stay", async () => {
    await serve();
    const [first, other] = [await logIn(gateway), await logIn(gateway)];
    const second = await logIn(gateway, await linkBy(first));
    const third = await logIn(gateway, await linkBy(second));
    const unused = await linkBy(second);
    const tabs = [await shake(second), await shake(third)];
    const staying = await shake(other);
    await gateway.tokens.revoke(OperatorId.parse(first.device), "test");
    expect(await Promise.all(tabs.map((tab) => tab.closed))).toEqual([1008, 1008]);
    expect((await exchange(unused)).status).toBe(401);
    const statuses = [first, second, third, other].map(async (browser) => (await openTab(browser)).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200]);
    const revoked = new Map((await gateway.tokens.list()).map(({ id, revokedAtMs }) => [id as string, revokedAtMs]));
    expect([second, third, other].map(({ device }) => revoked.get(device))).toEqual([
      gateway.clock.now(),
      gateway.clock.now(),
      null,
    ]);
    staying.close();
  });

  it("[GW-03] not when the browser that made its link logs out; then only when that one is revoked as well", async () => {
    await serve();
    const first = await logIn(gateway);
    const second = await logIn(gateway, await linkBy(first));
    const { cookie, browserSecret } = first;
    await ask(gateway, "/auth/logout", { body: { browserSecret }, headers: { cookie } });
    expect([(await openTab(first)).status, (await openTab(second)).status]).toEqual([401, 200]);
    const tab = await shake(second);
    await gateway.tokens.revoke(OperatorId.parse(first.device), "test");
    expect(await tab.closed).toBe(1008);
    expect((await openTab(second)).status).toBe(401);
  });

  it("[GW-03] when the person logs out: its tabs are closed and its cookie is taken back", async () => {
    await serve();
    const browser = await logIn(gateway);
    const tab = await shake(browser);
    const { cookie, browserSecret } = browser;
    const wrong = await ask(gateway, "/auth/logout", { body: { browserSecret: "guess" }, headers: { cookie } });
    const out = await ask(gateway, "/auth/logout", { body: { browserSecret }, headers: { cookie } });
    expect([wrong.status, out.status, out.headers["set-cookie"]]).toEqual([
      401,
      200,
      [`holdpoint-${gateway.port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`],
    ]);
    expect(await tab.closed).toBe(1008);
    expect((await openTab(browser)).status).toBe(401);
  });
});

describe("/auth", () => {
  it("[GW-03] answers no page but our own, and nothing but JSON", async () => {
    await serve({ settings: { allowedOrigins: ["https://trusted.example"] } });
    const code = await linkCode(gateway);
    const forged: NodeJS.Dict<string>[] = [
      { origin: undefined },
      { origin: "https://trusted.example" },
      { origin: "http://127.0.0.1:3000" },
      { origin: "null" },
      { origin: `http://localhost:${gateway.port}`, host: `localhost:${gateway.port}` },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "none" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": undefined },
    ];
    const statuses = await Promise.all(forged.map(async (headers) => (await exchange(code, headers)).status));
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403, 403, 403, 415, 415, 415]);
    expect((await exchange(code)).status).toBe(200); // none of them used it up
  });

  it("[GW-03] takes a page opened as localhost for its own where somebody configured that name", async () => {
    await serve({ settings: { allowedHosts: ["LocalHost"] } });
    const host = `localhost:${gateway.port}`;
    expect((await exchange(await linkCode(gateway), { origin: `http://${host}`, host })).status).toBe(200);
  });

  it("[GW-05] takes small bodies of one shape, by POST alone", async () => {
    await serve();
    const bodies = [
      "",
      "{",
      "null",
      "[]",
      "{}",
      '{"code":1}',
      '{"code":""}',
      '{"code":"a","more":1}',
      `"${"a".repeat(900)}"`,
    ];
    const statuses = await Promise.all(
      bodies.map(async (body) => (await ask(gateway, "/auth/exchange", { body })).status),
    );
    expect(statuses).toEqual(bodies.map(() => 400));
    const large = await ask(gateway, "/auth/exchange", { body: { code: "a".repeat(2_000) } });
    expect([large.status, large.headers.connection]).toEqual([413, "close"]);
    const chunked = { "transfer-encoding": "chunked", "content-type": "application/json", origin: gateway.url };
    const endless = await httpRequest(`${gateway.url}/auth/exchange`, {
      method: "POST",
      headers: chunked,
      body: JSON.stringify({ code: "a".repeat(2_000) }),
    });
    expect(endless.status).toBe(413);
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await httpRequest(`${gateway.url}/auth/logout`, { method });
      expect([status, headers["allow"]]).toEqual([405, "POST"]);
    }
    expect((await ask(gateway, "/auth/other", { body: {} })).status).toBe(404);
  });

  it("[GW-03] is never cached, framed or read by another page", async () => {
    await serve();
    const { headers } = await exchange(await linkCode(gateway), {});
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("[GW-05] is refused, and nobody is logged in, while the store takes nothing", async () => {
    await serve();
    const code = await linkCode(gateway);
    await gateway.inner.close();
    expect((await exchange(code)).status).toBeGreaterThanOrEqual(500);
  });
});
