/** What code mode says, in English and with what it means. */
import { createLocalized } from "../../protocol/localized/localized-text.ts";
import { ENGLISH } from "./en.ts";

export const localized = createLocalized(ENGLISH);
