/** The texts of the page in English, which is the source: add a text here first, in the file of its area. */
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

export const en = { app, attachments, cards, chat, inbox, parts, review, run, settings, slots } as const;
