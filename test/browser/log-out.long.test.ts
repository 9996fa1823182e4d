/** Being logged out, here or elsewhere, in the middle of whatever one was looking at. */
import { describe, expect } from "vitest";
import { submits } from "./cards-kit.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

const viewsOf = (sessionId: string): string[] => [
  "/",
  "/inbox",
  "/audit",
  "/charts",
  "/settings",
  ...["", "/plan", "/run", "/timeline"].map((view) => `/sessions/${sessionId}${view}`),
];

describe("being logged out", () => {
  browserTest("[UI-04] shows how to come back from every view, and nothing breaks on the way", async () => {
    const world = await openWorld({ script: [submits("Paint the shed")], planMode: { defaultActive: true } });
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    await world.person.must("chat.send", { sessionId: session.id, text: "Paint the shed." });
    for (const path of viewsOf(session.id)) {
      const { page } = await world.openPage();
      const { tokens } = await world.person.must("tokens.list", {});
      const mine = tokens.findLast(({ device, revokedAtMs }) => device !== null && revokedAtMs === null);
      await page.goto(`${world.url}${path}`, { waitUntil: "commit" });
      await page.getByRole("main").first().waitFor();
      await world.person.must("tokens.revoke", { id: mine?.id ?? "" });
      await page.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
    }
  });

  browserTest("[UI-04] does no harm while everything that was asked for is still open", async () => {
    const world = await openWorld();
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const { page } = await world.openPage();
    for (const path of viewsOf(session.id)) {
      const asked: string[] = [];
      await page.unrouteAll();
      await page.routeWebSocket(/.*/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => {
          asked.push(String(message));
          server.send(message);
        });
        server.onMessage((message) => {
          if (String(message).includes('"id":"connect"')) return socket.send(message);
          void socket.close({ code: 1008, reason: "revoked" }); // with the first answer, none of them comes
        });
      });
      await page.goto(`${world.url}${path}`);
      await page.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
      expect(asked.length).toBeGreaterThan(1);
    }
  });

  browserTest("[UI-04] does no harm either while everything that can be pressed was pressed", async () => {
    const world = await openWorld({ script: [submits("Paint the shed")], planMode: { defaultActive: true } });
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    await world.person.must("chat.send", { sessionId: session.id, text: "Paint the shed." });
    const { page } = await world.openPage();
    for (const path of viewsOf(session.id)) {
      let isOpen = true;
      let answered = 0;
      const waiting = new Set<string>();
      let close = (): void => undefined;
      await page.unrouteAll();
      await page.routeWebSocket(/.*/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (waiting.delete(idIn(message))) answered += 1;
          if (isOpen) socket.send(message);
        });
        socket.onMessage((message) => {
          waiting.add(idIn(message));
          if (isOpen) server.send(message);
        });
        close = () => void socket.close({ code: 1008, reason: "revoked" });
      });
      await page.goto(`${world.url}${path}`);
      const isComplete = async (): Promise<boolean> => {
        const pressable = await page.evaluate(everything, { isPressed: false });
        return answered > 1 && waiting.size === 0 && pressable.length > 1;
      };
      await expect.poll(isComplete, PATIENT).toBe(true);
      isOpen = false; // from here on no request is answered
      const pressed = await page.evaluate(everything, { isPressed: true });
      expect(pressed.length).toBeGreaterThan(1);
      close();
      await page.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
    }
  });

  browserTest("[UI-04] waits for its own code where that cannot be had just now", async () => {
    const world = await openWorld();
    const { page, context } = await world.openPage({ hasWorker: false });
    await context.route("**/assets/signed-out-*", (route) => route.abort());
    await page.reload(); // into a page that never got it
    await page.getByText("No sessions yet").waitFor();
    const { tokens } = await world.person.must("tokens.list", {});
    const mine = tokens.findLast(({ device, revokedAtMs }) => device !== null && revokedAtMs === null);
    const isLookedFor = page.waitForRequest(/\/healthz$/);
    await world.person.must("tokens.revoke", { id: mine?.id ?? "" });
    await isLookedFor;
    await context.unrouteAll();
    await page.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
  });

  browserTest("[UI-04] from the settings ends this browser, in all its tabs", async () => {
    const world = await openWorld();
    const { page, context } = await world.openPage();
    const other = await context.newPage();
    await other.goto(world.url);
    await other.getByRole("button", { name: "New session" }).first().waitFor();
    await page.goto(`${world.url}/settings`);
    await page.getByRole("button", { name: "Log out of this browser" }).click();
    await page.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
    await other.getByRole("textbox", { name: "Or paste the link here" }).waitFor();
  });
});

const idIn = (message: string | Buffer): string => String((JSON.parse(String(message)) as { id?: string }).id);

/** What can be pressed; runs in the page. */
function everything({ isPressed }: { isPressed: boolean }): string[] {
  const found: HTMLElement[] = [];
  const look = (root: ParentNode): void => {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.matches("button:enabled, summary, select")) found.push(element);
      if (element.shadowRoot !== null) look(element.shadowRoot);
    }
  };
  look(document);
  const names = found.map((element) => (element.getAttribute("aria-label") ?? element.textContent).trim());
  for (const [n, element] of found.entries()) if (isPressed && !/log out/i.test(names[n] ?? "")) element.click();
  return names;
}
