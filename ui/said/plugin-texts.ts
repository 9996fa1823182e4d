/** The texts that plugins bring, read from the gateway when the first of them is to be shown in a language. */
import type { ParamsOf, ResultOf } from "../../src/all-methods.ts";
import { pluginTextKey } from "../../src/protocol/localized/plugin-text.ts";
import { language, speakForPlugins } from "../i18n/t.ts";
import type { Area } from "../i18n/text-types.ts";

type Read = (params: ParamsOf<"ui.texts">) => Promise<ResultOf<"ui.texts">>;

/** A text that is not there yet may come with its plugin. */
const AGAIN_AFTER_MS = 10_000;

let read: Read | undefined;
let asked = { locale: "", atMs: Number.NEGATIVE_INFINITY };

export const readPluginTextsBy = (given: Read): void => void (read = given);

/** Whoever shows one draws again when they are there; until then the gateway's own words stand. */
export function wantPluginTexts(): void {
  const { locale } = language.get();
  const nowMs = Date.now();
  if (read === undefined || (asked.locale === locale && nowMs - asked.atMs < AGAIN_AFTER_MS)) return;
  asked = { locale, atMs: nowMs };
  void read({ language: locale }).then(
    (found) => speakForPlugins(locale, areaOf(found)),
    () => undefined,
  );
}

const areaOf = ({ plugins }: ResultOf<"ui.texts">): Area =>
  Object.fromEntries(
    plugins.flatMap(({ pluginId, texts }) =>
      Object.entries(texts).map(([key, text]) => [pluginTextKey(pluginId, key), text]),
    ),
  );
