import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { globSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { rawRequest, rawSocket } from "../../../test/kit/raw-socket.ts";
import { httpRequest } from "../../../test/kit/browser-login.ts";
import { type ServedGateway, serveGateway } from "../../../test/kit/served-gateway.ts";
import { buildPage } from "./build-page.ts";
import type { PageManifest } from "./page-manifest.ts";
import { createPageRoute } from "./page-route.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "ui/index.html": '<!doctype html><title>t</title><script type="module" src="./main.ts"></script><body></body>\n',
  "ui/main.ts": `import { shared } from "./shared.ts";\nvoid import("./heavy.ts");\ndocument.title = shared;\n`,
  "ui/shared.ts": `export const shared: string = "${"shared ".repeat(300)}";\n`,
  "ui/heavy.ts": `import { shared } from "./shared.ts";\nexport const heavy: string = shared + "heavy";\n`,
  "ui/sw.ts": `declare const __PAGE_ASSETS__: string[];\ndeclare const __PAGE_VERSION__: string;\nconsole.log(__PAGE_ASSETS__, __PAGE_VERSION__);\n`,
  "ui/public/manifest.webmanifest": '{"name":"t"}\n',
  "ui/public/icons/mark.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
};

let folder: string;
let gateway: ServedGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-page-"));
  for (const [path, text] of Object.entries(SOURCES)) write(path, text);
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function serve({ watch = false } = {}): Promise<ServedGateway> {
  const log = { error: () => undefined };
  const route = createPageRoute({ home: join(folder, "home"), root: folder, watch, packAfterMs: 0, log });
  gateway = await serveGateway({ routes: [route] });
  return gateway;
}

const manifests = (): string[] => globSync("home/cache/page/*/page.json", { cwd: folder });
const isPacked = (): boolean =>
  manifests().every((path) => readFileSync(join(folder, path), "utf8").includes('"packed": true'));

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${gateway?.url}${path}`, { method, headers, redirect: "manual" });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html dompurify holdpoint";

describe("the page", () => {
  it("[UI-01] is built from its sources at the first request, under a policy that lets nothing foreign run", async () => {
    await serve();
    const answer = await get("/");
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": POLICY,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()") as string,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      etag: expect.stringMatching(/^"[A-Za-z0-9_-]{22}"$/) as string,
    });
    expect(html).toMatch(/<script type="module" src="\/assets\/main-[A-Z0-9]{8}\.js"><\/script>/);
    expect(html).toMatch(
      /main-[A-Z0-9]{8}\.js"><\/script>\s*<script type="module" src="\/assets\/chunk-[A-Z0-9]{8}\.js">/,
    );
    expect(html).not.toMatch(/preload/); // a browser drops a preload that a service worker answered, and says so
    expect(html).not.toMatch(/main\.ts|<script>|<style|style=|heavy/);
  });

  it("[UI-01] shows itself for the addresses of its views, and nothing for others", async () => {
    await serve();
    const views = [
      "/",
      "/inbox",
      "/sessions/ses_a-1",
      "/sessions/ses_a/plan",
      "/settings",
      "/audit",
      "/inbox?from=mail",
    ];
    const others = [
      "/index.html",
      "/page.json",
      "/main.ts",
      "/assets/",
      "/assets/none-AAAAAAAA.js",
      "/login",
      "//inbox",
      "/inbox/",
      "/sessions/a/b/c/d/e",
      "/sessions/%2e%2e%2fx",
      "/share/x",
      "/constructor",
      "/__proto__",
    ];
    const statusOf = async (path: string): Promise<[string, number]> => [path, (await get(path)).status];
    expect(await Promise.all(views.map(statusOf))).toEqual(views.map((path) => [path, 200]));
    expect(await Promise.all(others.map(statusOf))).toEqual(others.map((path) => [path, 404]));
  });

  it("[GW-03] [GW-04] is opened by address: a name that another program can answer to keeps nobody's log-in", async () => {
    const { port } = await serve();
    const by = async (host: string, path: string) => {
      const { status, headers } = await httpRequest(`${gateway?.url}${path}`, { headers: { host } });
      return [status, headers["location"]];
    };
    expect([await by(`localhost:${port}`, "/"), await by(`LOCALHOST:${port}`, "/sessions/ses_1/plan")]).toEqual([
      [307, `http://127.0.0.1:${port}/`],
      [307, `http://127.0.0.1:${port}/sessions/ses_1/plan`],
    ]);
    expect(await by(`localhost:${port}`, "//evil.example")).toEqual([404, undefined]);
    expect(await by(`127.0.0.1:${port}`, "/")).toEqual([200, undefined]);
  });

  it("[UI-01] names its modules by their content, so that a browser keeps them for good, in the smallest form it reads", async () => {
    await serve();
    await get("/");
    await expect.poll(isPacked).toBe(true);
    const [script = ""] = /\/assets\/[\w-]+\.js(?="><\/script>)/.exec(await (await get("/")).text()) ?? [];
    const [shared = ""] = /\/assets\/chunk-[\w-]+\.js(?="><\/script>)/.exec(await (await get("/")).text()) ?? [];
    const main = await get(script);
    expect([main.status, main.headers.get("content-type"), main.headers.get("cache-control")]).toEqual([
      200,
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    const raw = async (encoding: string): Promise<[string | undefined, string | undefined, string]> => {
      const socket = await rawSocket(gateway?.port ?? 0);
      const head = [`Host: 127.0.0.1:${gateway?.port}`, `Accept-Encoding: ${encoding}`, "Connection: close"];
      socket.write([`GET ${shared} HTTP/1.1`, ...head, "", ""].join("\r\n"));
      const bytes = await socket.ended;
      const at = bytes.indexOf("\r\n\r\n");
      const headers = bytes.subarray(0, at).toString();
      const form = /content-encoding: (\w+)/i.exec(headers)?.[1];
      const body = bytes.subarray(at + 4);
      const plain = form === "br" ? brotliDecompressSync(body) : form === "gzip" ? gunzipSync(body) : body;
      return [form, /vary: ([\w-]+)/i.exec(headers)?.[1], plain.toString()];
    };
    const all = await Promise.all(["gzip, deflate, br", "gzip;q=1.0, br;q=0", "identity"].map(raw));
    expect(all.map(([form, vary]) => [form, vary])).toEqual([
      ["br", "accept-encoding"],
      ["gzip", "accept-encoding"],
      [undefined, "accept-encoding"],
    ]);
    expect(new Set(all.map(([, , text]) => text)).size).toBe(1);
    expect(all[0]?.[2]).toContain("shared shared");
  });

  it("[UI-01] answers HEAD without a body, and 304 to whoever has the same bytes", async () => {
    await serve();
    const head = await get("/", {}, "HEAD");
    expect([head.status, (await head.text()).length, Number(head.headers.get("content-length")) > 50]).toEqual([
      200,
      0,
      true,
    ]);
    const etag = head.headers.get("etag") ?? "";
    const known = await get("/", { "if-none-match": `"other", W/${etag}` });
    expect([
      known.status,
      await known.text(),
      known.headers.get("etag"),
      known.headers.get("content-security-policy"),
    ]).toEqual([304, "", etag, POLICY]);
    expect((await get("/", { "if-none-match": '"other"' })).status).toBe(200);
    expect((await get("/", {}, "POST")).status).toBe(405);
    expect((await get("/", {}, "DELETE")).headers.get("allow")).toBe("GET, HEAD");
  });

  it("[UI-07] has a service worker that knows the first load by name, for all of the page", async () => {
    await serve();
    const html = await (await get("/")).text();
    const answer = await get("/sw.js");
    const text = await answer.text();
    expect([answer.headers.get("cache-control"), answer.headers.get("service-worker-allowed")]).toEqual([
      "no-cache",
      "/",
    ]);
    for (const [path] of html.matchAll(/\/assets\/[^"]+/g)) expect(text).toContain(path);
    expect(text).not.toContain("heavy");
    const manifest = await get("/manifest.webmanifest");
    expect([manifest.headers.get("content-type"), await manifest.json()]).toEqual([
      "application/manifest+json; charset=utf-8",
      { name: "t" },
    ]);
    expect((await get("/icons/mark.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });

  it("[GW-03] reads nothing from disk that is not part of it, however the address is written", async () => {
    await serve();
    write("home/operator.token", "hush");
    const attempts = [
      "/../home/operator.token",
      "/assets/../../../home/operator.token",
      "/assets/..%2f..%2f..%2foperator.token",
      "/%2e%2e/%2e%2e/operator.token",
      "/assets/....//operator.token",
      "/assets/%00",
      "/..\\home\\operator.token",
      "/file:///etc/passwd",
      "/assets/main.js%00.png",
      "/.git/config",
      "/package.json",
    ];
    for (const path of attempts) {
      const head = [`Host: 127.0.0.1:${gateway?.port}`, "Connection: close"];
      const { status } = await rawRequest(gateway?.port ?? 0, [`GET ${path} HTTP/1.1`, ...head]);
      expect([path, status]).toEqual([path, 404]);
    }
  });
});

describe("building it", () => {
  const built = manifests;
  const html = { accept: "text/html,application/xhtml+xml", "accept-language": "de-AT,en;q=0.5" };

  it("[UI-01] happens once: the next start finds it in the gateway's own folder", async () => {
    await serve();
    const first = await (await get("/")).text();
    await expect.poll(isPacked).toBe(true);
    const [manifest = ""] = built();
    const madeAtMs = statSync(join(folder, manifest)).mtimeMs;
    await gateway?.close();
    await serve();
    expect(await (await get("/")).text()).toBe(first);
    expect([built(), statSync(join(folder, manifest)).mtimeMs]).toEqual([[manifest], madeAtMs]);
  });

  it("[UI-01] shows whoever is early what they wait for, in their language, and never keeps a program waiting for that", async () => {
    await serve();
    const early = await get("/", html);
    const text = await early.text();
    expect([early.status, early.headers.get("retry-after"), early.headers.get("cache-control")]).toEqual([
      503,
      "2",
      "no-store",
    ]);
    expect(early.headers.get("content-security-policy")).toBe(POLICY);
    expect(text).toContain("Die Seite wird vorbereitet");
    expect(text).not.toMatch(/<script>|<style|style=|onload/);
    const scripts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect((await get("/")).status).toBe(200); // asked for by a program, it waits
    expect(await (await get("/inbox", html)).text()).toContain("/assets/main-");
    for (const path of scripts) expect([path, (await get(path)).status]).toEqual([path, 200]); // one may come late
    expect((await get("/preparing.html", html)).status).toBe(404);
  });

  it("[UI-01] is served before it is compressed, and is compressed after the next start where that was cut short", async () => {
    await serve();
    expect((await get("/")).status).toBe(200);
    await expect.poll(isPacked).toBe(true);
    const [manifest = ""] = built();
    const path = join(folder, manifest);
    const bundled = JSON.parse(readFileSync(path, "utf8")) as PageManifest;
    for (const file of Object.values(bundled.files)) file.encodings = [];
    writeFileSync(path, JSON.stringify({ ...bundled, packed: false }));
    await gateway?.close();
    await serve();
    expect((await get("/")).status).toBe(200);
    await expect.poll(isPacked).toBe(true);
    const shared = Object.keys(bundled.files).find((name) => name.startsWith("/assets/chunk-")) ?? "";
    await expect.poll(async () => (await get(shared)).headers.get("vary")).toBe("accept-encoding");
  });

  it("[GW-04] [UI-01] is not done again while the gateway runs: what an agent writes into a clone runs in no open page", async () => {
    await serve();
    const before = await (await get("/")).text();
    write("ui/main.ts", "document.title = 'signed by the agent';\n");
    const nowMs = performance.now();
    onTestFinished(() => void vi.restoreAllMocks());
    const later = vi.spyOn(performance, "now").mockReturnValue(nowMs + 3_600_000);
    expect(await (await get("/")).text()).toBe(before);
    expect(built()).toHaveLength(1);
    later.mockRestore();
    await gateway?.close();
    await serve({ watch: true });
    const restarted = await (await get("/")).text();
    expect(restarted).not.toBe(before); // as the gateway's own code would be another after a restart
    write("ui/main.ts", "document.title = 'a person works on the page';\n");
    vi.spyOn(performance, "now").mockReturnValue(nowMs + 7_200_000);
    expect(await (await get("/")).text()).not.toBe(restarted);
  });

  it("[UI-01] is not taken from a folder that is half written", async () => {
    await serve();
    await get("/");
    const [manifest = ""] = built();
    writeFileSync(join(folder, manifest), '{"files":');
    await gateway?.close();
    await serve();
    expect((await get("/")).status).toBe(200);
  });

  it("[UI-01] says what is wrong where it cannot be done, and the gateway goes on", async () => {
    write("ui/main.ts", "this is no TypeScript at all");
    await serve();
    const answer = await get("/");
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(text).toContain("ui/main.ts:1:");
    expect(text).toContain("holdpoint chat");
    expect((await get("/assets/x.js")).status).toBe(404);
    expect((await get("/healthz")).status).toBe(200);
    rmSync(join(folder, "ui"), { recursive: true });
    await gateway?.close();
    await serve();
    expect(await (await get("/inbox")).text()).toContain("ui/main.ts is not there");
  });

  it("[UI-01] refuses files of a kind that it could not name to a browser", async () => {
    write("ui/public/secret.pem", "x");
    await expect(buildPage(folder, join(folder, "out"))).rejects.toThrow("secret.pem: no type is known for .pem");
  });
});
