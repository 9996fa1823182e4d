/** Os textos da página em português do Brasil. */
import { app } from "./app.ts";
import { attachments } from "./attachments.ts";
import { cards } from "./cards.ts";
import { chat } from "./chat.ts";
import { inbox } from "./inbox.ts";
import { parts } from "./parts.ts";
import { review } from "./review.ts";
import { run } from "./run.ts";
import { settings } from "./settings.ts";
import { slots } from "./slots.ts";
import type { Texts } from "../text-types.ts";

export const ptBr = { app, attachments, cards, chat, inbox, parts, review, run, settings, slots } satisfies Texts;
