/** Teksty strony po polsku. */
import { app } from "./app.ts";
import { attachments } from "./attachments.ts";
import { chat } from "./chat.ts";
import { parts } from "./parts.ts";
import type { Language } from "../text-types.ts";

export const pl = {
  texts: { app, attachments, chat, parts },
  apart: {
    cards: async () => (await import("./cards.ts")).cards,
    changes: async () => (await import("./changes.ts")).changes,
    inbox: async () => (await import("./inbox.ts")).inbox,
    library: async () => (await import("./library.ts")).library,
    localized: async () => (await import("./localized.ts")).localized,
    modes: async () => (await import("./modes.ts")).modes,
    palette: async () => (await import("./palette.ts")).palette,
    problems: async () => (await import("./problems.ts")).problems,
    proof: async () => (await import("./proof.ts")).proof,
    record: async () => (await import("./record.ts")).record,
    review: async () => (await import("./review.ts")).review,
    run: async () => (await import("./run.ts")).run,
    settings: async () => (await import("./settings.ts")).settings,
    slots: async () => (await import("./slots.ts")).slots,
  },
} satisfies Language;
