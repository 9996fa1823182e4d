/** `/approve`: the short way to say `/plan accept`. Strict like its elder: a word too many decides nothing. */
import { refuse } from "../../protocol/refusal.ts";
import type { PluginCommand } from "../../plugins/sdk.ts";
import { planCommand } from "./plan-command.ts";

const USAGE = "/approve [edits] — approve the waiting plan, like /plan accept";

export const approveCommand: PluginCommand = {
  name: "approve",
  description: "Approve the waiting plan.",
  usage: [USAGE],
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  async handler(call) {
    const args = call.args.trim().toLowerCase();
    if (args === "" || args === "edits") return planCommand.handler({ ...call, args: `accept ${args}` });
    return { refusal: refuse("COMMAND_USAGE", `"${args.slice(0, 80)}" is too much. Usage: ${USAGE}`).refused };
  },
};
