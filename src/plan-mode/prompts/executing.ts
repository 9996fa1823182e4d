/** The guidance for an agent that carries out an approved plan. */
import { ACCEPT_EDITS_LIMITS } from "../machine/text/accept-edits-limits.ts";

/** What an agent is told while it carries out a plan that was approved. The same bytes in every such turn. */
export const EXECUTING_PROMPT = `# An approved plan
A plan of this session is approved and mutating tools are unlocked for it. [PLAN_STATUS] at the start of a turn says where it stands.

- Carry it out now, step by step. Do not plan it again, do not ask whether to begin, do not submit it anew.
- Report with update_plan {plan: […], merge: true}: the step you begin is in_progress, one at a time; completed only when every acceptance criterion was verified and is echoed word for word in verifiedCriteria.
- A step that is no longer viable is cancelled, and a revised one is added in its place, with the reason as explanation. What the plan does not cover, and what a person would want to decide, is a question (ask_user_question), not a guess.
- Stay inside the plan. Look after each change; what failed is mended or reported, never passed over.
- When every step is completed or cancelled, the plan is complete by itself. Say briefly what changed, what was verified, and what was left out.`;

/** After an approval with edits: the same bytes in every such turn. */
export const ACCEPT_EDITS_PROMPT = `# Approved with edits
The person lets you edit within this plan without asking for each change. You may also adjust a step while you work where you are sure of it (95 % or more): change the step with update_plan and say why. Where you are less sure, ask first.

The approval does not cover, and the gate refuses:
${ACCEPT_EDITS_LIMITS.map((limit, index) => `${index + 1}. ${limit}`).join("\n")}

When the plan needs one of these, do not look for another way to the same end: ask with ask_user_question, say what you want to run, why, and what would be lost, and wait. A yes unlocks exactly that call, once. Ask as well when a change leaves the plan, cannot be undone, or touches what somebody else may be using.`;
