import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createLocalized } from "../../src/protocol/localized/localized-text.ts";
import { speak, withTexts, loadLocalized } from "../i18n/t.ts";
import { localizedDescriptor } from "../slots/localized-descriptor.ts";
import { localizedText } from "./localized-text.ts";
import { followOutsideTexts } from "./outside-texts.ts";

const TEXTS: Record<string, Record<string, string>> = {
  en: { name: "Lamp", lit: "The lamp is {colour}.", planOff: "Plan mode is on." },
  de: { name: "Lampe", lit: "Die Lampe ist {colour}.", planOff: "Der Planmodus ist an." },
  fr: { lit: "La lampe est {colour}.", planOff: "Le mode plan est actif." },
};
const LIT = [{ line: 0, key: "lamp.lit", args: { colour: "re\u200Bd" } }];
const shown = (): string => localizedText("The lamp is red.", LIT);

/** A gateway with a plugin that comes and goes. */
function followed() {
  const asked: string[] = [];
  const listeners = new Set<() => void>();
  let isThere = true;
  const call = async (_method: string, { language }: { language: string }) => {
    asked.push(language);
    return { plugins: isThere ? [{ pluginId: "lamp", texts: TEXTS[language] ?? {} }] : [] };
  };
  const on = (_event: string, listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  onTestFinished(followOutsideTexts({ call, on } as never));
  return {
    asked,
    leave() {
      isThere = false;
      for (const listener of listeners) listener();
    },
  };
}

beforeEach(async () => {
  await speak(["de"]);
  await withTexts(loadLocalized);
});

it("[PG-02, UI-06] a plugin from outside is told in the language of the person, and in the next without a reload", async () => {
  const { asked } = followed();
  await expect.poll(shown).toBe("Die Lampe ist re‹U+200B›d.");
  await speak(["fr"]);
  await expect.poll(shown).toBe("La lampe est re‹U+200B›d.");
  expect(asked).toEqual(["de", "en", "fr", "en"]);
});

it("[PG-02, UI-06, UI-09] so are the words of its slots, and nothing that names something", async () => {
  followed();
  await expect.poll(shown).toBe("Die Lampe ist re‹U+200B›d.");
  const descriptor = {
    id: "lamp",
    surface: "session-header",
    label: "Lamp",
    body: [
      { kind: "badge", text: "Lamp", when: { path: "Lamp", equals: "Lamp" } },
      { kind: "text", text: "Plan mode is off." },
    ],
  } as const;
  expect(localizedDescriptor(descriptor as never, "lamp")).toEqual({
    ...descriptor,
    label: "Lampe",
    body: [{ ...descriptor.body[0], text: "Lampe" }, descriptor.body[1]],
  });
  expect(localizedDescriptor(descriptor as never, "other")).toEqual(descriptor);
});

it("[PG-02, UI-06] when it is gone, its stored words stand as they are", async () => {
  const gateway = followed();
  await expect.poll(shown).toBe("Die Lampe ist re‹U+200B›d.");
  gateway.leave();
  await expect.poll(shown).toBe("The lamp is red.");
});

it("[PG-02, PL-02] it replaces no text of the house", async () => {
  followed();
  await expect.poll(shown).toBe("Die Lampe ist re‹U+200B›d.");
  const { text, said } = createLocalized({ planOff: "Plan mode is off." })("planOff");
  expect(localizedText(text, said)).toBe("Der Planmodus ist aus.");
});
