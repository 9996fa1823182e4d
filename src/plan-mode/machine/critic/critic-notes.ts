/** In whose name the critic's notes stand: a rule's, which every surface marks as none of a person. */
import type { By } from "../../../protocol/actor.ts";
import type { Note } from "../../protocol/review.ts";
import { ENGLISH } from "../../texts/en.ts";
import { byPolicy } from "../actors.ts";

const CRITIC_RULE = "critic";
export const CRITIC: By = byPolicy(CRITIC_RULE, ENGLISH.rule_critic);

export const isCritics = ({ by }: Pick<Note, "by">): boolean => by.kind === "policy" && by.id === CRITIC_RULE;
