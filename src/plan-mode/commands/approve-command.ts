/** `/approve`: the short way to say `/plan accept`. Strict like its elder: a word too many decides nothing. */
import { refuse } from "../../protocol/refusal.ts";
import { ENGLISH } from "../../protocol/localized/english.ts";
import { lines, say } from "../../protocol/localized/localized-text.ts";
import type { PluginCommand } from "../../plugins/sdk.ts";
import { planCommand } from "./plan-command.ts";

export const approveCommand: PluginCommand = {
  name: "approve",
  description: ENGLISH.command_approve,
  usage: [ENGLISH.usage_approve],
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  async handler(call) {
    const args = call.args.trim().toLowerCase();
    if (args === "" || args === "edits") return planCommand.handler({ ...call, args: `accept ${args}` });
    const problem = say("tooMuch", { words: args.slice(0, 80), command: "/approve" });
    return { refusal: refuse("COMMAND_USAGE", lines([problem, say("usage"), say("usage_approve")])).refused };
  },
};
