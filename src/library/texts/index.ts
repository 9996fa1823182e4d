/** The texts of the library by language, each loaded when a page needs it. */
import type { TextLoaders } from "../../protocol/localized/text-loaders.ts";

export const texts = {
  en: async () => (await import("./en.ts")).ENGLISH,
  de: async () => (await import("./de.ts")).texts,
  es: async () => (await import("./es.ts")).texts,
  fr: async () => (await import("./fr.ts")).texts,
  "pt-BR": async () => (await import("./pt-BR.ts")).texts,
  id: async () => (await import("./id.ts")).texts,
  ja: async () => (await import("./ja.ts")).texts,
  ko: async () => (await import("./ko.ts")).texts,
  "zh-CN": async () => (await import("./zh-CN.ts")).texts,
  "zh-TW": async () => (await import("./zh-TW.ts")).texts,
  pl: async () => (await import("./pl.ts")).texts,
  tr: async () => (await import("./tr.ts")).texts,
  uk: async () => (await import("./uk.ts")).texts,
} satisfies TextLoaders;
