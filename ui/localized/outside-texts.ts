/** Texts and worded facts of plugins from outside: read from the gateway for the language in use, and again when a plugin came or went. */
import type { ResultOf } from "../../src/all-methods.ts";
import type { AppState } from "../state/app-state.ts";
import { keepOutsideTexts, language, OUTSIDE_AREA } from "../i18n/t.ts";
import { keepOutsideFacts, type OutsideFact } from "./outside-facts.ts";
import { wordsKey } from "./outside-text.ts";
import { visibly } from "../text/visibly.ts";

type Following = Pick<AppState, "call" | "on">;

export function followOutsideTexts({ call, on }: Following): () => void {
  let asked = "";

  async function load(): Promise<void> {
    const { locale } = language.get();
    asked = locale;
    const [{ plugins }, english] = await Promise.all([
      call("ui.texts", { language: locale }),
      call("ui.texts", { language: "en" }),
    ]);
    keepOutsideFacts(plugins.flatMap(factsIn));
    const source = new Map(english.plugins.map(({ pluginId, texts }) => [pluginId, texts]));
    keepOutsideTexts(locale, Object.fromEntries(plugins.flatMap((plugin) => entriesOf(plugin, source))));
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

type PluginTexts = ResultOf<"ui.texts">["plugins"][number];

const factsIn = ({ pluginId, facts = {} }: PluginTexts): [string, OutsideFact][] =>
  Object.entries(facts).map(([type, wording]) => [type, { pluginId, wording }]);

/** Each text by its key, and by its English words. */
const entriesOf = (
  { pluginId, texts }: PluginTexts,
  english: ReadonlyMap<string, PluginTexts["texts"]>,
): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] => [
    [`${pluginId}.${key}`, visibly(text)],
    [wordsKey(pluginId, english.get(pluginId)?.[key] ?? text), visibly(text)],
  ]);
