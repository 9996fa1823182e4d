/** What is said in a session, as the page shows it: safely, in any length, and with the gateway away. */
import { describe, expect } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import { allTexts, word } from "../kit/all-texts.ts";
import { browserTest, openWorld, type World, PATIENT } from "./page-world.ts";

/** Says something and waits until the agent has answered. */
async function talk(world: World, sessionId: SessionId, texts: readonly string[]): Promise<void> {
  let finished = Promise.withResolvers<void>();
  world.person.onEvent(({ event }) => {
    if (event === "turn.finished") finished.resolve();
  });
  await world.person.must("sessions.subscribe", { sessionId });
  for (const text of texts) {
    finished = Promise.withResolvers<void>();
    await world.person.must("chat.send", { sessionId, text });
    await finished.promise;
  }
}

const HOSTILE = `<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>
<style>body { display: none }</style> <form action="//evil.test"><button id="login">x</button></form>

[click](javascript:window.hacked=1) [plain](https://example.org/a) ![seen](https://evil.test/pixel.png)

safe\u202Egnp.exe and zero\u200Bwidth

| a | b |
| - | - |
| <b onclick="hacked=1">c</b> | [d](data:text/html,<script>hacked=1</script>) |

- [x] done`;

describe("the conversation", () => {
  browserTest("[UI-08] shows what an agent says without running, loading or hiding any of it", async () => {
    const world = await openWorld({ script: [{ say: HOSTILE }] });
    const { session } = await world.person.must("sessions.create", { title: "<b>bold</b>\u202E" });
    await talk(world, session.id, ["<script>window.hacked = 1</script>"]);
    const { page, expectAccessible, shot } = await world.openPage();
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(request.url()));
    await page.goto(`${world.url}/sessions/${session.id}`);
    await page.getByRole("link", { name: "plain" }).waitFor();
    await page.getByText("‹U+202E›gnp.exe and zero‹U+200B›width").waitFor();
    await page.getByRole("heading", { level: 1, name: "<b>bold</b>‹U+202E›" }).waitFor();
    await page.getByText("<script>window.hacked = 1</script>").first().waitFor();
    await page.getByText("☑ done").waitFor();
    const said = page.locator("hp-rich-text .rich");
    expect(await said.locator("script, style, img, form, button, [onclick], [onerror], [id]").count()).toBe(0);
    const links = await said
      .getByRole("link")
      .evaluateAll((found) => found.map((link) => [link.getAttribute("href"), link.getAttribute("rel")]));
    const rel = "noopener noreferrer nofollow";
    expect(links).toEqual([
      ["https://example.org/a", rel],
      ["https://evil.test/pixel.png", rel],
    ]);
    expect(await page.evaluate(() => Reflect.get(globalThis, "hacked"))).toBeUndefined();
    expect(asked.filter((url) => !url.startsWith(world.url) && !url.startsWith("ws:"))).toEqual([]);
    await shot("hostile-wide");
    await expectAccessible();
  });

  browserTest(
    "[UI-01] holds a long history: the rows in sight exist, older ones come when they are scrolled to",
    async () => {
      const world = await openWorld();
      const { session } = await world.person.must("sessions.create", { title: "Long" });
      await talk(
        world,
        session.id,
        Array.from({ length: 110 }, (_, n) => `message number ${n + 1}`),
      );
      const { page } = await world.openPage();
      await page.goto(`${world.url}/sessions/${session.id}`);
      await page.getByText("message number 110", { exact: true }).waitFor();
      const log = page.getByRole("log");
      const drawn = (): Promise<number> => log.locator(".virtual-row").count();
      expect(await drawn()).toBeLessThan(60);
      const isAtEnd = (): Promise<boolean> =>
        log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight < 60);
      await expect.poll(isAtEnd, PATIENT).toBe(true);
      await expect
        .poll(async () => {
          await log.evaluate((list) => list.scrollTo({ top: 0 }));
          return page.getByText("message number 1", { exact: true }).count();
        }, PATIENT)
        .toBe(1);
      expect(await drawn()).toBeLessThan(60);
      await world.person.must("chat.send", { sessionId: session.id, text: "said while reading above" });
      await page.getByText("message number 1", { exact: true }).waitFor(); // stays where the person reads
      expect(await isAtEnd()).toBe(false);
      await page.getByRole("textbox", { name: "Message" }).fill("and now mine");
      await page.keyboard.press("Enter");
      await page.getByText("and now mine").waitFor();
      await expect.poll(isAtEnd, PATIENT).toBe(true);
    },
  );

  browserTest("[UI-07] opens while the gateway is away, says so, and comes alive when it returns", async () => {
    const world = await openWorld();
    const { page, shot } = await world.openPage();
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      await fetch("/assets/none"); // through the worker, once it serves this page
    });
    await page.reload();
    await page.getByText("No sessions yet").waitFor();
    await world.stop();
    await page.goto(`${world.url}/settings`);
    await page.getByText("The gateway is not running.").waitFor();
    const looksForNewWorker = (): Promise<string> =>
      navigator.serviceWorker.ready.then((worker) => worker.update()).then(String, () => "there is nobody to ask");
    expect(await page.evaluate(looksForNewWorker)).toBe("there is nobody to ask"); // as the browser does by itself
    await shot("offline-wide");
    await world.start();
    await page.getByText("No sessions yet").waitFor();
    expect(await page.getByText("The gateway is not running.").count()).toBe(0);
  });

  browserTest("[UI-06] [UI-07] opens while the gateway is away in the language of the first visit", async () => {
    const world = await openWorld();
    const { page, context } = await world.openPage({ locale: "uk" });
    const isKept = (): Promise<boolean> =>
      page.evaluate(async () => {
        const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
        const kept = await Promise.all(
          fetched.filter((name) => name.includes("/assets/")).map((name) => caches.match(name)),
        );
        return navigator.serviceWorker.controller !== null && !kept.includes(undefined);
      });
    await expect.poll(isKept, PATIENT).toBe(true);
    const chrome = await context.newCDPSession(page);
    await chrome.send("Network.clearBrowserCache"); // so that only what the worker kept is left
    await world.stop();
    await page.goto(world.url);
    const texts = await allTexts("uk");
    await page.getByText(word(texts, "app.offline")).waitFor();
    await page
      .getByRole("button", { name: word(texts, "app.newSession") })
      .first()
      .waitFor();
  });
});
