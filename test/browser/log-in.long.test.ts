import { createServer, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished } from "vitest";
import { ask, shakeAsTab } from "../kit/browser-login.ts";
import { present } from "../kit/served-gateway.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

/** Another program of this machine, as an agent may start one, on a port of its own. */
async function neighbour(html: string): Promise<{ url: string; heard: IncomingHttpHeaders[] }> {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, heard };
}

browserTest(
  "[UI-01] [GW-03] a link logs the browser in once, and leaves no trace in its address or its history",
  async () => {
    const world = await openWorld();
    const { page, context } = await world.openPage();
    expect(page.url()).toBe(`${world.url}/`);
    const kept = await page.evaluate(() => ({ cookie: document.cookie, entries: history.length }));
    expect(kept.cookie).toBe("");
    const another = await context.newPage();
    await another.goto(`${world.url}/inbox`);
    await another.getByRole("button", { name: /./ }).first().waitFor();
    const secretOf = () => another.evaluate(() => sessionStorage.getItem("holdpoint.tab") ?? "");
    await expect.poll(secretOf, PATIENT).toMatch(/^[\w-]{43}$/); // a tab draws its frame before it is logged in
    expect(await another.evaluate(() => sessionStorage.getItem("holdpoint.tab"))).not.toBe(
      await page.evaluate(() => sessionStorage.getItem("holdpoint.tab")),
    );
    const { tokens } = await world.person.must("tokens.list", {});
    expect(tokens.filter(({ device }) => device !== null).map(({ name }) => name)).toEqual(["Chrome (Linux)"]);
  },
);

browserTest("[GW-03] [GW-04] a server on another port is sent the cookie, and can do nothing with it", async () => {
  const world = await openWorld();
  const { page, context } = await world.openPage();
  const { heard, url } = await neighbour("<title>dev server</title>");
  const visited = await context.newPage();
  await visited.goto(url);
  const cookie = present(heard[0]?.cookie);
  expect(cookie).toMatch(/^holdpoint-\d+=/); // browsers keep cookies apart by host, not by port
  const secret = present(cookie.split("=")[1]);
  for (const browserSecret of [secret, "guess"]) {
    expect((await ask(world, "/auth/tab", { body: { browserSecret }, headers: { cookie } })).status).toBe(401);
  }
  const shaken = await shakeAsTab(world, { tabSecret: secret }, { cookie, origin: world.url });
  expect(shaken.answer).toMatchObject({ ok: false, error: { code: "UNAUTHENTICATED" } });
  const fetched = await visited.evaluate(async (target) => {
    const asked = (path: string, init: RequestInit) =>
      fetch(`${target}${path}`, { credentials: "include", ...init }).then(
        (answer) => answer.type,
        () => "blocked",
      );
    return [
      await asked("/auth/tab", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
      await asked("/auth/tab", { method: "POST", mode: "no-cors", body: "{}" }),
      await asked("/", { method: "GET" }),
    ];
  }, world.url);
  expect(fetched).toEqual(["blocked", expect.stringMatching(/opaque|blocked/), "blocked"]);
  const opened = await visited.evaluate(
    (target) =>
      new Promise((resolve) => {
        const socket = new WebSocket(target);
        socket.addEventListener("open", () => resolve("open"));
        socket.addEventListener("error", () => resolve("refused"));
      }),
    `${world.url.replace(/^http/, "ws")}/ws`,
  );
  expect(opened).toBe("refused");
  expect(await page.evaluate(() => localStorage.getItem("holdpoint.browser"))).toMatch(/^[\w-]{43}$/); // and this it never saw
  expect(await visited.evaluate(() => localStorage.getItem("holdpoint.browser"))).toBeNull();
});

browserTest("[UI-08] under its policy the page runs no text as code, whatever found its way into it", async () => {
  const world = await openWorld();
  const { context } = await world.openPage();
  const page = await context.newPage(); // whose complaints are expected
  await page.goto(`${world.url}/inbox`);
  await page.getByRole("button", { name: /./ }).first().waitFor();
  const tried = await page.evaluate(() => {
    const outcome = (work: () => unknown): string => {
      try {
        work();
        return "done";
      } catch (error) {
        return error instanceof Error ? error.name : "thrown";
      }
    };
    const script = document.createElement("script");
    const frame = document.createElement("iframe");
    return [
      outcome(() => (document.body.innerHTML = "<img src=x onerror='document.title=1'>")),
      outcome(() => (script.textContent = "document.title = 'hacked'")),
      outcome(() => (script.src = "https://evil.example/x.js")),
      outcome(() => (frame.srcdoc = "<script>1</script>")),
      outcome(() => document.write("<b>x</b>")),
    ];
  });
  expect(tried).toEqual(["TypeError", "TypeError", "TypeError", "TypeError", "TypeError"]);
  expect(await page.title()).not.toBe("hacked");
});

browserTest("[GW-03] a revoked browser is out at once, in all its tabs", async () => {
  const world = await openWorld();
  const { page, context } = await world.openPage();
  const another = await context.newPage();
  await another.goto(`${world.url}/inbox`);
  await another.getByRole("button", { name: /./ }).first().waitFor();
  const { tokens } = await world.person.must("tokens.list", {});
  const device = present(tokens.find((token) => token.device !== null));
  await world.person.must("tokens.revoke", { id: device.id });
  for (const tab of [page, another]) await tab.getByText("holdpoint link").first().waitFor();
});

browserTest(
  "[GW-03] [UI-04] a tab that outlives its gateway gets another secret by itself when the gateway is back",
  async () => {
    const world = await openWorld();
    const { page } = await world.openPage();
    const tabSecret = (): Promise<string | null> => page.evaluate(() => sessionStorage.getItem("holdpoint.tab"));
    const before = await tabSecret();
    await world.stop();
    await world.start();
    await expect.poll(tabSecret, PATIENT).not.toBe(before);
    expect(await tabSecret()).toMatch(/^[\w-]{43}$/);
  },
);
