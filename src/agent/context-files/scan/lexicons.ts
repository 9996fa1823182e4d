/** The words of every language that the page speaks, of three more, and those that belong to all of them. */
import { ar } from "./lexicon/ar.ts";
import { de } from "./lexicon/de.ts";
import { en } from "./lexicon/en.ts";
import { es } from "./lexicon/es.ts";
import { fr } from "./lexicon/fr.ts";
import { id } from "./lexicon/id.ts";
import { it } from "./lexicon/it.ts";
import { ja } from "./lexicon/ja.ts";
import { ko } from "./lexicon/ko.ts";
import { pl } from "./lexicon/pl.ts";
import { ptBR } from "./lexicon/pt-br.ts";
import { ru } from "./lexicon/ru.ts";
import { tr } from "./lexicon/tr.ts";
import { uk } from "./lexicon/uk.ts";
import { zhCN } from "./lexicon/zh-cn.ts";
import { zhTW } from "./lexicon/zh-tw.ts";
import type { Lexicon } from "./concept.ts";

/** Technical words that every language borrows. */
const any: Lexicon = {
  system: "system prompt|systemprompt|system-prompt",
  secret: "env|id_rsa|ssh|api key|api keys|apikey|apikeys|api-key|tokens",
  out: "webhook|webhooks|ngrok|pastebin|requestbin|gist|telegram|discord|ftp|dropbox|whatsapp",
  encoded: "base64|rot13|hex|base32",
  url: "urlxx",
  badUrl: "badurl",
  jailbreak: "jailbreak|jailbroken|dan mode",
  elsewhere: "wiki|confluence|notion",
  tooling: "ci|-y|--yes|--no-input|installer|pipeline|pipelines",
  report: "injection|injections|prompt-injection|owasp|jailbreaks",
};

/** English comes first: its bit is the lowest, which the look-up relies on. */
export const LEXICONS: Readonly<Record<string, Lexicon>> = {
  en,
  de,
  es,
  fr,
  id,
  ja,
  ko,
  pl,
  "pt-BR": ptBR,
  tr,
  uk,
  "zh-CN": zhCN,
  "zh-TW": zhTW,
  ar,
  it,
  ru,
  any,
};
