import { expect, it } from "vitest";
import { NASTY_TEXTS } from "../../../test/kit/channels/nasty-texts.ts";
import { READERS } from "../../../test/kit/channels/vendor-readers.ts";
import { revealHidden } from "../../plugins/sdk.ts";
import { neutral } from "./neutral-text.ts";

const LOOK_ALIKES: Readonly<Record<string, string>> = { "﹫": "@", "∗": "*", "∼": "~", ˋ: "`", "＿": "_", "›": ">" };
/** As the eye sees it: look-alikes for what they look like, joints for nothing, every blank for a blank. */
const seen = (text: string): string =>
  text
    .replace(/[﹫∗∼ˋ＿›]/g, (sign) => LOOK_ALIKES[sign] ?? "")
    .replace(/[\u2060\u200B]/g, "")
    .replaceAll("‹U+2424>", "\u2424")
    .replaceAll("\t", "    ")
    .replaceAll("\u00A0", " ");

it.each(READERS)(
  "[CH-05] $vendor: of no text anything is read but words, and all of it is shown",
  ({ format, read }) => {
    for (const text of NASTY_TEXTS) {
      const { shown, found } = read(neutral(text, format));
      expect([text, found]).toEqual([text, []]);
      expect([text, seen(shown)]).toEqual([text, seen(revealHidden(text))]);
    }
  },
);
