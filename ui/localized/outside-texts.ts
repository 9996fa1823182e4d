/** Texts of plugins from outside: read from the gateway for the language in use, and again when a plugin came or went. */
import type { AppState } from "../state/app-state.ts";
import { keepOutsideTexts, language, OUTSIDE_AREA } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";

type Following = Pick<AppState, "call" | "on">;

export function followOutsideTexts({ call, on }: Following): () => void {
  let asked = "";

  async function load(): Promise<void> {
    const { locale } = language.get();
    asked = locale;
    const { plugins } = await call("ui.texts", { language: locale });
    const texts = plugins.flatMap((plugin) =>
      Object.entries(plugin.texts).map(([key, text]): [string, string] => [`${plugin.pluginId}.${key}`, visibly(text)]),
    );
    keepOutsideTexts(locale, Object.fromEntries(texts));
  }

  // the plugins' English words stand until then: what cannot be read is read again with the next language or plugin
  const reload = (): void => void load().catch(() => (asked = ""));
  const follow = (): void => {
    const { locale, texts } = language.get();
    if (texts[OUTSIDE_AREA] === undefined && asked !== locale) reload();
  };
  const stops = [language.subscribe(follow), on("plugins.changed", reload)];
  reload();
  return () => stops.forEach((stop) => stop());
}
