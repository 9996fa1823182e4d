/** What each mode means, in a sentence; loaded with its texts when the menu of modes is opened. */
import { t } from "../i18n/t.ts";
import type { Mode } from "./mode-of.ts";

export const modeHint = (mode: Mode): string => t(`modes.hint_${mode}`);
