export const modes = {
  sure_auto: "Accept plans without reading them?",
  sureText_auto:
    "Every plan of this session is then accepted by a rule, at once and without a person. The record says so. You can switch it off at any time.",
  sureYes_auto: "Switch Plan ⚡ on",
  sure_bypass: "Let everything run without asking?",
  sureText_bypass:
    "In this session no change asks any more, destructive ones included. Plan mode still holds. You can switch it off at any time.",
  sureYes_bypass: "Switch Bypass on",
  sure_leave: "Leave plan mode while a plan waits?",
  sureText_leave: "The plan that waits for a signature is withdrawn. The agent can then change things without a plan.",
  sureYes_leave: "Leave plan mode",
  sure_replan: "Stop carrying out the plan?",
  sureText_replan:
    "The approved plan ends here; what is left of it is not done. Nothing changes until a new plan is signed.",
  sureYes_replan: "Back to planning",
  hint_default: "What is destructive asks first.",
  hint_ask: "Every change asks first.",
  hint_accept: "File edits run, other changes ask first.",
  hint_plan: "Nothing changes until a plan is signed.",
  hint_auto: "Plans are accepted by rule.",
  hint_bypass: "Nothing asks, whatever it does.",
} as const;
