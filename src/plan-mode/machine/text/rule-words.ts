/** Why a session plans, and which rule decided, in words. What people and agents gave as a reason is theirs. */
import type { By } from "../../../protocol/actor.ts";
import { asIs, type LocalizedText } from "../../../protocol/localized/localized-text.ts";
import { localized, localizedByKey } from "../../texts/localized.ts";

/** `auto-enable: <model>`: the rule, and what it went by. */
const BY_RULE = /^(auto-enable|auto-destructive): (.*)$/;

export function reasonWords(reason: string): LocalizedText {
  const [, rule, what = ""] = BY_RULE.exec(reason) ?? [];
  if (rule === "auto-enable") return localized("reason_auto_enable", { what });
  if (rule === "auto-destructive") return localized("reason_auto_destructive", { what });
  return known(`reason_${reason}`) ?? asIs(reason);
}

export const ruleWords = ({ id, name }: Pick<By, "id" | "name">): LocalizedText => known(`rule_${id}`) ?? asIs(name);

const known = (name: string): LocalizedText | undefined => localizedByKey(name.replaceAll("-", "_"));
