/** `/permissions`: what the agent asks a person about outside plan mode, to see and to set. */
import { z } from "zod";
import { PermissionMode } from "../protocol/settings.ts";
import { PlanModeState } from "../protocol/state.ts";
import { refuse } from "../protocol/refuse.ts";
import { ENGLISH } from "../texts/en.ts";
import { lines, messageOf, type LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized, localizedByKey } from "../texts/localized.ts";
import type { CommandCall, CommandResult, PluginCommand } from "../../plugins/sdk.ts";
import { INITIAL } from "../machine/evolve.ts";
import { described } from "./parse-plan-command.ts";
import { permissionOf } from "../machine/permission/permission.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";

/** The longest name of a mode. */
const NAME_CHARS = 7;

export const permissionsCommand: PluginCommand = {
  name: "permissions",
  description: ENGLISH.command_permissions,
  usage: [ENGLISH.usage_permissions],
  textOf: localizedByKey,
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  bareAs: "status",
  subcommands: [
    { name: "status", description: described(ENGLISH.usage_permissions_status), requiredScopes: ["operator.read"] },
  ],
  async handler(call) {
    const asked = call.args.trim().toLowerCase();
    if (asked === "" || asked === "status") return messageOf(shown(call));
    const mode = PermissionMode.safeParse(asked);
    return mode.success ? set(mode.data, call) : { refusal: unknown(call.args) };
  },
};

function shown({ session }: CommandCall): LocalizedText {
  const state = PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);
  const held = permissionOf(state);
  const modes = PermissionMode.options.map((mode) =>
    localized("permissionLine", {
      mark: mode === held ? "*" : " ",
      mode: mode.padEnd(NAME_CHARS),
      meaning: localized(`meaning_${mode}`),
    }),
  );
  const planning = state.now.mode === "plan" ? [localized("planModeFirst")] : [];
  return lines([localized("permissionsAre", { mode: held }), ...modes, ...planning]);
}

async function set(mode: PermissionMode, call: CommandCall): Promise<CommandResult> {
  const outcome = await call.apply({ type: "set-permission-mode", mode });
  if (!outcome.ok) return { refusal: outcome.refusal };
  const { missing = 0 } = Signed.parse(outcome.reply);
  if (missing > 0) return messageOf(localized("looseningSigned", { missing }));
  return messageOf(localized("permissionsSet", { mode, meaning: localized(`meaning_${mode}`) }));
}

const Signed = z.object({ missing: z.int().optional() });

const unknown = (asked: string) =>
  refuse(
    "COMMAND_USAGE",
    lines([
      localized("noPermission", { mode: asked.trim().slice(0, 40) }),
      localized("usage"),
      localized("usage_permissions"),
    ]),
  ).refused;
