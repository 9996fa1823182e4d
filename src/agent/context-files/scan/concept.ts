/**
 * The ideas that instructions are made of. A lexicon names the words of one language for each; the rules speak of ideas
 * alone, so that one rule holds in every language.
 */
export const CONCEPTS = [
  // instructions, and what becomes of them
  "discard",
  "unfollow",
  "void",
  "earlier",
  "all",
  "your",
  "instruction",
  "rule",
  "setting",
  "system",
  "told",
  "newSystem",
  "newTask",
  "supreme",
  "follow",
  // who the agent is
  "become",
  "free",
  "unbound",
  "jailbreak",
  "reidentify",
  // what a person decides
  "person",
  "work",
  "already",
  "approved",
  "isApproved",
  "hasApproved",
  "approval",
  "gate",
  "assume",
  "skip",
  "ask",
  "skipAsk",
  "approve",
  "selfAct",
  "autoApprove",
  "silence",
  "proceed",
  "now",
  "danger",
  "safe",
  // what a person sees
  "tell",
  "noTell",
  "hide",
  "hideFrom",
  "covert",
  "self",
  "record",
  "tracks",
  // what leaves, and what comes in
  "send",
  "grab",
  "secret",
  "out",
  "include",
  "publicPlace",
  "actFor",
  "asked",
  "reveal",
  "verbatim",
  "url",
  "badUrl",
  "fetch",
  "run",
  "trigger",
  "blind",
  "decode",
  "encoded",
  "authority",
  "address",
  // what limits, forbids or reports
  "not",
  "without",
  "noNeed",
  "if",
  "only",
  "unless",
  "before",
  "after",
  "report",
  "outside",
  "elsewhere",
  "tooling",
  "protocol",
  "widget",
] as const;

export type Concept = (typeof CONCEPTS)[number];

/**
 * Words of one language, between bars. `ignor*` is a beginning, `set ~ aside` lets up to three words stand between; in
 * writing without spaces every entry is a piece of text.
 */
export type Lexicon = { readonly [Name in Concept]?: string };
