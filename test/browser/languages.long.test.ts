/** Every language of the page: opened by a browser that asks for it, and switched to without a reload. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { allTexts, word } from "../kit/all-texts.ts";
import { isLong } from "../kit/repetitions.ts";
import { isLocale, LOCALES, type LocaleId } from "../../ui/i18n/locales.ts";
import { planWorld, submits } from "./cards-kit.ts";
import { NAME_OF_A_TEXT, tooWide } from "./every-view.ts";
import { browserTest, openWorld, PHONE, LONG_MS_MAX } from "./page-world.ts";

const SPEC = ["de", "en", "es", "fr", "id", "ja", "ko", "pl", "pt-BR", "tr", "uk", "zh-CN", "zh-TW"];

/** The longest words, no spaces, other letters, a region: the test below switches to all of them. */
const A_FEW: LocaleId[] = ["de", "ja", "uk", "pt-BR"];

const ids = (): LocaleId[] => Object.keys(LOCALES).filter(isLocale);

/** How the page writes the moment of a message, and whether that is how the language writes it. */
const dateIn = (page: Page) =>
  page
    .locator("time[datetime][title]")
    .first()
    .evaluate((time) => {
      const { lang } = document.documentElement;
      const format = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
      const said = time.getAttribute("title") ?? "";
      return { said, asIntl: said === format.format(new Date(time.getAttribute("datetime") ?? "")), lang };
    });

describe("the languages of the page", () => {
  browserTest(
    "[UI-06] each opens for a browser that asks for it, fits a phone, and writes dates its own way",
    async () => {
      expect(ids().toSorted()).toEqual(SPEC);
      const { world, address } = await planWorld([submits("Paint the shed")]);
      for (const locale of isLong ? ids() : A_FEW) {
        const texts = await allTexts(locale);
        const opened = await world.openPage({ size: PHONE, locale });
        const { page } = opened;
        await page.getByText(word(texts, "app.newSession")).first().waitFor();
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
        expect([locale, await tooWide(page)]).toEqual([locale, []]);
        await page.goto(address);
        await page.getByRole("button", { name: word(texts, "localized.cardAccept"), exact: true }).waitFor();
        expect([locale, await tooWide(page)]).toEqual([locale, []]);
        expect(await dateIn(page)).toEqual({ said: expect.stringMatching(/\d/), asIntl: true, lang: locale });
        await opened.shot(`language-${locale}-card`);
        await page.goto(`${address}/plan`);
        await page.getByRole("heading", { name: "Paint the shed" }).first().waitFor();
        expect([locale, await tooWide(page)]).toEqual([locale, []]);
        await page.goto(`${world.url}/audit`);
        await page.getByRole("heading", { level: 1, name: word(texts, "app.audit") }).waitFor();
        expect([locale, await tooWide(page)]).toEqual([locale, []]);
        await opened.context.close();
      }
    },
    LONG_MS_MAX,
  );

  browserTest(
    "[UI-06] each is switched to in the settings without a reload, in every part of the page",
    async () => {
      const { world } = await planWorld([submits("Paint the shed")]);
      const { page } = await world.openPage();
      await page.getByRole("link", { name: "Inbox" }).click();
      await page.getByText("Decide", { exact: true }).first().waitFor(); // a view that was loaded before the language changed
      await page.getByRole("link", { name: "Settings" }).click();
      const choice = page.locator("select").filter({ has: page.locator("option[value=uk]") });
      await choice.waitFor();
      await page.evaluate(() => Reflect.set(globalThis, "sameDocument", true));
      for (const locale of ids()) {
        const texts = await allTexts(locale);
        await choice.selectOption(locale);
        await page.getByRole("heading", { level: 1, name: word(texts, "app.settings"), exact: true }).waitFor();
        await page
          .getByRole("button", { name: word(texts, "app.newSession") })
          .first()
          .waitFor();
        const state = await page.evaluate(() => ({
          lang: document.documentElement.lang,
          same: Reflect.get(globalThis, "sameDocument") as unknown,
        }));
        expect(state).toEqual({ lang: locale, same: true });
        for (const key of ["settings.language", "settings.theme"] as const) {
          await page.getByText(word(texts, key)).first().waitFor();
        }
      }
      const texts = await allTexts(ids().at(-1) ?? "en");
      for (const [place, key] of [
        ["/inbox", "inbox.decide"],
        ["/audit", "run.checkAgain"],
        ["/charts", "run.chartsHint"],
      ] as const) {
        await page.locator(`a[href="${place}"]`).first().click();
        await page.getByText(word(texts, key)).first().waitFor();
        expect(await page.getByText(NAME_OF_A_TEXT).allTextContents()).toEqual([]);
      }
      expect(await page.evaluate(() => Reflect.get(globalThis, "sameDocument") as unknown)).toBe(true);
    },
    LONG_MS_MAX,
  );

  browserTest("[UI-06] what the gateway refuses is told in the language, as it means it", async () => {
    const world = await openWorld();
    const { session } = await world.person.must("sessions.create", { title: "Shed" });
    const texts = await allTexts("de");
    const { page, shot } = await world.openPage({ size: PHONE, locale: "de" });
    await page.goto(`${world.url}/sessions/${session.id}`);
    const composer = page.getByLabel(word(texts, "chat.message"), { exact: true }); // its role changes with the first slash
    await composer.fill("/plan nonsense");
    await composer.press("Enter");
    const told = page.getByRole("alert").filter({ hasText: word(texts, "localized.usage_plan_revise") });
    await told.waitFor();
    await shot("language-de-refused");
    expect([await told.count(), await tooWide(page)]).toEqual([1, []]);
    const stranger = await world.openStranger({ locale: "de" });
    await stranger.page.getByRole("textbox").fill("http://x/#login=wrong");
    await stranger.page.getByRole("button").click();
    await stranger.page.getByRole("alert").getByText(word(texts, "problems.notLoggedIn")).waitFor();
  });
});
