/** A card of a plugin from outside: drawn like one of the house, in the person's language, and closed where it is decided. */
import { describe, expect } from "vitest";
import { lampWith } from "../kit/lamp-plugin.ts";
import { cardIn } from "./cards-kit.ts";
import { browserTest, openWorld, PATIENT } from "./page-world.ts";

async function lampWorld() {
  const fitted: string[] = [];
  const plugin = lampWith({ fit: async ({ id }) => void fitted.push(id) });
  const world = await openWorld({ plugins: [{ plugin, tier: "trusted" }] });
  const { session } = await world.person.must("sessions.create", { title: "The hall" });
  const sessionId = session.id;
  const breaks = () => world.person.must("chat.send", { sessionId, text: "/lamp broken" });
  return { world, fitted, breaks, sessionId, address: `${world.url}/sessions/${sessionId}` };
}

describe("a card of an outside plugin", () => {
  browserTest("[PG-01, UI-02, UI-09] is acted on with its button, and its worker does what was ordered", async () => {
    const { world, fitted, breaks, sessionId, address } = await lampWorld();
    const { page, expectAccessible } = await world.openPage();
    await page.goto(address);
    await page.getByText("Lamp", { exact: true }).first().waitFor(); // its slot
    await breaks();
    const card = cardIn(page, /The bulb of the lamp is broken/);
    await card.getByRole("heading", { name: "The lamp in the hall" }).waitFor();
    await expectAccessible();
    await card.getByRole("button", { name: "Replace it", disabled: false }).click();
    await page.getByText(/had it replaced\.$/).waitFor();
    expect(await card.count()).toBe(0);
    await expect.poll(() => fitted.length, PATIENT).toBe(1);
    const lamp = async () => (await world.person.must("sessions.get", { sessionId })).session.slices["lamp"];
    await expect.poll(lamp, PATIENT).toEqual({ colour: "green" });
  });

  browserTest("[UI-04, UI-06] speaks the person's language, and closes when it is decided elsewhere", async () => {
    const { world, breaks, sessionId, address } = await lampWorld();
    const { page } = await world.openPage({ locale: "de" });
    await page.goto(address);
    await breaks();
    const card = cardIn(page, /Die Birne der Lampe ist kaputt/);
    await card.getByRole("button", { name: "Ersetzen" }).waitFor();
    await card.getByRole("button", { name: "Leave it" }).waitFor(); // what the plugin says in English only
    const { session } = await world.person.must("sessions.get", { sessionId });
    const value = { id: session.cards?.[0]?.id, do: "replace" };
    await world.person.must("sessions.patch", { sessionId, field: "lampBulb", value });
    await page.getByText(/ließ sie ersetzen\.$/).waitFor();
    expect(await card.count()).toBe(0);
  });
});
