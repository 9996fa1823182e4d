/** `/approve`: the short way to say `/plan accept`. Strict like its elder: a word too many decides nothing. */
import { refuse } from "../protocol/refuse.ts";
import { ENGLISH } from "../texts/en.ts";
import { lines } from "../../protocol/localized/localized-text.ts";
import { localized, localizedByKey } from "../texts/localized.ts";
import type { PluginCommand } from "../../plugins/sdk.ts";
import { parsePlanCommand } from "./parse-plan-command.ts";
import { planCommand } from "./plan-command.ts";

export const approveCommand: PluginCommand = {
  name: "approve",
  description: ENGLISH.command_approve,
  usage: [ENGLISH.usage_approve],
  textOf: localizedByKey,
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  async handler(call) {
    const args = call.args.trim().toLowerCase();
    const command = parsePlanCommand(`accept ${args}`);
    if (!("refused" in command)) return planCommand.handler({ ...call, args: `accept ${args}` });
    const problem = localized("tooMuch", { words: args.slice(0, 80), command: "/approve" });
    return {
      refusal: refuse("COMMAND_USAGE", lines([problem, localized("usage"), localized("usage_approve")])).refused,
    };
  },
};
