/** The page as an application of its own, and for people whom movement disturbs. */
import { describe, expect } from "vitest";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

describe("the page as an application", () => {
  browserTest("[UI-07] can be installed: the browser itself finds nothing missing", async () => {
    const world = await openWorld();
    const { page, context } = await world.openPage();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const chrome = await context.newCDPSession(page);
    const { installabilityErrors } = await chrome.send("Page.getInstallabilityErrors");
    // a window without a profile can never install anything; that is not the page's fault
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
    const { errors, data } = await chrome.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? "{}")).toMatchObject({ name: "Holdpoint", start_url: "/", display: "standalone" });
  });

  browserTest(
    "[UI-15] shows a push that comes while no page is open, without a word of the plan, and decides nothing",
    async () => {
      const world = await openWorld();
      const { page, context } = await world.openPage();
      await context.grantPermissions(["notifications"]);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      const chrome = await context.newCDPSession(page);
      const registered = Promise.withResolvers<string>();
      chrome.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [first] = registrations;
        if (first !== undefined) registered.resolve(first.registrationId);
      });
      await chrome.send("ServiceWorker.enable");
      const registrationId = await registered.promise;
      const [worker] = context.serviceWorkers();
      await worker?.evaluate(() => {
        const told: unknown[] = [];
        Reflect.set(globalThis, "told", told);
        const show = async (title: string, options: object): Promise<void> => void told.push({ title, ...options });
        Reflect.set(Reflect.get(globalThis, "registration") as object, "showNotification", show); // no screen here
      });
      await page.goto("about:blank");
      const data = JSON.stringify({ kind: "approval", sessionId: "ses_1", cardId: "apr_1" });
      await chrome.send("ServiceWorker.deliverPushMessage", { origin: world.url, registrationId, data });
      const told = () => worker?.evaluate(() => Reflect.get(globalThis, "told") as unknown);
      await expect.poll(told, PATIENT).toEqual([
        {
          title: "A plan waits for your signature",
          tag: "apr_1",
          icon: "/icon-192.png",
          badge: "/icon-192.png",
          data: { href: "/sessions/ses_1?card=apr_1" },
          actions: [
            { action: "open", title: "Open" },
            { action: "back", title: "Send back" },
          ],
        },
      ]);
    },
  );

  browserTest("[UI-07] moves nothing where a person asked for less movement, and does otherwise", async () => {
    const world = await openWorld();
    const { page } = await world.openPage();
    const moving = (): Promise<number> =>
      page.evaluate(() => {
        const roots: ParentNode[] = [document];
        for (const root of roots)
          for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot !== null) roots.push(shadowRoot);
        const isMoving = (element: Element): boolean => {
          const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
          const lasts = (list: string): boolean => list.split(",").some((time) => Number.parseFloat(time) > 0.001);
          return (animationName !== "none" && lasts(animationDuration)) || lasts(transitionDuration);
        };
        return roots.flatMap((root) => [...root.querySelectorAll("*")]).filter(isMoving).length;
      });
    await page.getByText("No sessions yet").waitFor();
    expect(await moving()).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await moving()).toBeGreaterThan(0);
  });
});
