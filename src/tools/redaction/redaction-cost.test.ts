import { describe, expect, it } from "vitest";
import { countLooks } from "../../../test/kit/count-looks.ts";
import { createRedaction } from "./redaction.ts";

const redaction = createRedaction(() => ["correct horse+battery/staple=", "Zq8-second-value", "also it ends in sk"]);

describe("the work", () => {
  const looks = (text: string): number => countLooks(() => void redaction.text(text));

  it.each(["sk-", "hp_a", "sk-ant-", "AKIA", "sk-a1", "ghp_hp_", "\u001B[1msk-", "xoxb-x"])(
    "[GW-05] grows with the text and not with its square: %s",
    (unit) => {
      const [small, large] = [looks(unit.repeat(1_000)), looks(unit.repeat(8_000))];
      expect(large).toBeLessThan(small * 10);
    },
  );
});
