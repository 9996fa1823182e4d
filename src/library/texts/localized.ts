/** What the library says, in English and with what it means. */
import { createLocalized, type LocalizedWith } from "../../protocol/localized/localized-text.ts";
import { ENGLISH } from "./en.ts";

export const localized: LocalizedWith<typeof ENGLISH> = createLocalized(ENGLISH);
