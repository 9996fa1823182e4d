/** Who did something. People have names; a rule and the agent are called what they are, in the person's language. */
import type { By } from "../../src/protocol/actor.ts";
import { visibly } from "../text/visibly.ts";
import { localizedPhrase } from "./localized-text.ts";

type Named = Pick<By, "name"> & Partial<Pick<By, "kind" | "id">>;

export function nameOf({ kind, id, name }: Named): string {
  if (kind === "agent") return localizedPhrase("theAgent") ?? visibly(name);
  if (kind === "policy") return localizedPhrase(`rule_${(id ?? "").replaceAll("-", "_")}`) ?? visibly(name);
  return visibly(name);
}

/** The label of what no person accepted, with the rule that did. Undefined where a person did. */
export const acceptedByRule = (by: Named): string | undefined =>
  by.kind === "policy" ? (localizedPhrase("cardByRule", { name: nameOf(by) }) ?? nameOf(by)) : undefined;

/** The gateway's own yes and no to one call are its words; every other answer is a person's. */
export function answerOf({ answer, optionId }: { answer: string; optionId?: string | null }): string {
  if (optionId === "allow-once" && answer === "Allow once") return localizedPhrase("cardAllowOnce") ?? answer;
  if (optionId === "deny" && answer === "Deny") return localizedPhrase("cardDeny") ?? answer;
  return visibly(answer);
}

/** Why a session plans: a rule's own name, or the words of whoever wanted it. */
export function reasonOf(reason: string): string {
  const [, rule = reason, what] = /^(auto-[a-z]+): (.*)$/.exec(reason) ?? [];
  const key = `reason_${rule.replaceAll("-", "_")}`;
  return localizedPhrase(key, what === undefined ? {} : { what: visibly(what) }) ?? visibly(reason);
}
