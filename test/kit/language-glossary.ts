/**
 * One word per idea in each language, as docs/GLOSSARY.md has it for English. `word` is what a text says whose source has
 * the idea, in any of its forms; `not` are words for the same thing that were used besides it.
 */
import type { LocaleId } from "../../ui/i18n/locales.ts";

export type Entry = { word: RegExp; not?: RegExp };
export type Idea = "plan" | "step" | "session" | "revision" | "gateway" | "agent" | "note" | "risk" | "model";

/** How the source names it. Plan mode is a name of its own. */
export const IDEAS: Readonly<Record<Idea, RegExp>> = {
  plan: /\bplans?\b(?![ -]mode| ⚡)/i,
  step: /\bsteps?\b/i,
  session: /\bsessions?\b/i,
  revision: /\brevisions?\b/i,
  gateway: /\bgateway\b/i,
  agent: /\b(?:sub-)?agents?\b/i,
  note: /\b(?:open |this |a |the |see |which )notes?\b/i,
  risk: /\brisks?\b/i,
  model: /\bmodels?\b/i,
};

export const GLOSSARIES: Readonly<Record<Exclude<LocaleId, "en">, Readonly<Record<Idea, Entry>>>> = {
  de: {
    plan: { word: /pl[aä]n/i },
    step: { word: /schritt/i, not: /\bStufen?\b/ },
    session: { word: /sitzung/i, not: /\bSessions?\b/ },
    revision: { word: /fassung/i, not: /\bRevision/ },
    gateway: { word: /Gateway/ },
    agent: { word: /agent/i },
    note: { word: /Anmerkung/, not: /Notiz|Kommentar/ },
    risk: { word: /Risi[kc]/ },
    model: { word: /Modell/ },
  },
  es: {
    plan: { word: /plan/i },
    step: { word: /paso/i, not: /\betapas?\b/i },
    session: { word: /sesi[oó]n/i },
    revision: { word: /versi[oó]n/i, not: /revisi[oó]n/i },
    gateway: { word: /pasarela/i },
    agent: { word: /agente/i },
    note: { word: /nota/i },
    risk: { word: /riesgo/i },
    model: { word: /modelo/i },
  },
  fr: {
    plan: { word: /plan/i },
    step: { word: /étape/i },
    session: { word: /session/i },
    revision: { word: /version/i, not: /révision/i },
    gateway: { word: /passerelle/i },
    agent: { word: /agent/i },
    note: { word: /note/i, not: /remarque/i },
    risk: { word: /risque/i },
    model: { word: /modèle/i },
  },
  id: {
    plan: { word: /rencana/i },
    step: { word: /langkah/i },
    session: { word: /sesi/i },
    revision: { word: /revisi/i, not: /\bversi\b/i },
    gateway: { word: /gateway/i },
    agent: { word: /agen/i },
    note: { word: /catatan/i },
    risk: { word: /risiko/i },
    model: { word: /model/i },
  },
  ja: {
    plan: { word: /計画/, not: /プラン(?!モード)/ },
    step: { word: /ステップ/, not: /手順/ },
    session: { word: /セッション/ },
    revision: { word: /版/, not: /リビジョン|改訂/ },
    gateway: { word: /ゲートウェイ/ },
    agent: { word: /エージェント/ },
    note: { word: /注/, not: /メモ|ノート/ },
    risk: { word: /リスク/ },
    model: { word: /モデル/ },
  },
  ko: {
    plan: { word: /계획/, not: /플랜/ },
    step: { word: /단계/ },
    session: { word: /세션/ },
    revision: { word: /리비전/, not: /수정본|개정본/ },
    gateway: { word: /게이트웨이/ },
    agent: { word: /에이전트/ },
    note: { word: /메모/ },
    risk: { word: /위험/ },
    model: { word: /모델/ },
  },
  pl: {
    plan: { word: /plan/i },
    step: { word: /kro[kc]/i, not: /etap/i },
    session: { word: /sesj/i },
    revision: { word: /wersj/i, not: /rewizj/i },
    gateway: { word: /bram/i },
    agent: { word: /agen[tc]/i },
    note: { word: /uwa[gdz]/i, not: /notat/i },
    risk: { word: /ryzyk/i },
    model: { word: /model/i },
  },
  "pt-BR": {
    plan: { word: /plan[oe]/i },
    step: { word: /etapa/i, not: /\bpassos?\b/i },
    session: { word: /sess[ãõ]/i },
    revision: { word: /vers[ãõ]/i, not: /revis[ãõ]/i },
    gateway: { word: /gateway/i },
    agent: { word: /agente/i },
    note: { word: /nota/i },
    risk: { word: /risco/i },
    model: { word: /modelo/i },
  },
  tr: {
    plan: { word: /plan/i },
    step: { word: /adım/i },
    session: { word: /oturum/i },
    revision: { word: /revizyon/i, not: /sürüm/i },
    gateway: { word: /ağ geçi[dt]/i },
    agent: { word: /ajan/i },
    note: { word: /not/i },
    risk: { word: /risk/i },
    model: { word: /model/i },
  },
  uk: {
    plan: { word: /план/i },
    step: { word: /кро[кц]/i },
    session: { word: /сеанс/i, not: /сесі/i },
    revision: { word: /редакці/i, not: /ревізі|версі/i },
    gateway: { word: /шлюз/i },
    agent: { word: /агент/i },
    note: { word: /приміт/i, not: /нотат/i },
    risk: { word: /ризик/i },
    model: { word: /модел/i },
  },
  "zh-CN": {
    plan: { word: /计划/ },
    step: { word: /步/ },
    session: { word: /会话/ },
    revision: { word: /版/, not: /修订/ },
    gateway: { word: /网关/ },
    agent: { word: /智能体/, not: /代理(?!服务器)/ },
    note: { word: /批注/, not: /备注|注释/ },
    risk: { word: /风险/ },
    model: { word: /模型/ },
  },
  "zh-TW": {
    plan: { word: /計畫/, not: /計劃/ },
    step: { word: /步/ },
    session: { word: /工作階段/ },
    revision: { word: /版/, not: /修訂/ },
    gateway: { word: /閘道/ },
    agent: { word: /代理程式/, not: /代理(?!程式|伺服器)/ },
    note: { word: /註解/, not: /備註|附註/ },
    risk: { word: /風險/ },
    model: { word: /模型/ },
  },
};

/** What a reader sees as words: without placeholders, commands, settings and other things that are never translated. */
export const proseOf = (text: string): string =>
  text
    .replaceAll(/[\w.]+: (?:none|open)|\{key\}: <[^>]*>/g, "◌")
    .replaceAll(/\{\w+\}/g, "◌")
    .replaceAll(/\/plan[a-z ]*|\[plan-mode\][^"”」]*|holdpoint [a-z ]+|\b[\w-]+(?:[._]\w+)+|#login/g, "◌")
    .replaceAll(/<[^>]*>/g, "◌");
