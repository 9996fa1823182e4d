/** What the built-in commands say, in English and with what it means. */
import {
  createLocalized,
  createLocalizedByKey,
  type LocalizedWith,
} from "../../../protocol/localized/localized-text.ts";
import { ENGLISH } from "./en.ts";

export const localized: LocalizedWith<typeof ENGLISH> = createLocalized(ENGLISH);
export const localizedByKey = createLocalizedByKey(ENGLISH);
