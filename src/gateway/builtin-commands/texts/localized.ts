/** What the built-in commands say, in English and with what it means. */
import { createLocalized, createLocalizedByKey } from "../../../protocol/localized/localized-text.ts";
import { ENGLISH } from "./en.ts";

export const localized = createLocalized(ENGLISH);
export const localizedByKey = createLocalizedByKey(ENGLISH);
