/** `/permissions`: what the agent asks a person about outside plan mode, to see and to set. */
import { PermissionMode, PlanModeState } from "../../protocol/plan-mode.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { CommandCall, CommandResult, PluginCommand } from "../../plugins/sdk.ts";
import { INITIAL } from "../machine/evolve.ts";
import { permissionOf } from "../machine/permission/permission.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import { PERMISSION_MEANINGS } from "../machine/text/notify-lines.ts";

const USAGE = `/permissions [${PermissionMode.options.join("|")}]`;

export const permissionsCommand: PluginCommand = {
  name: "permissions",
  description: "What the agent asks you about before it changes something.",
  usage: [`${USAGE} — see it, or set it`],
  ownership: "reserved",
  requiredScopes: ["operator.approvals"],
  bareAs: "status",
  subcommands: [
    { name: "status", description: "which mode holds, and what each means", requiredScopes: ["operator.read"] },
  ],
  async handler(call) {
    const asked = call.args.trim().toLowerCase();
    if (asked === "" || asked === "status") return { message: shown(call) };
    const mode = PermissionMode.safeParse(asked);
    return mode.success ? set(mode.data, call) : { refusal: unknown(call.args) };
  },
};

function shown({ session }: CommandCall): string {
  const state = PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);
  const held = permissionOf(state);
  const lines = PermissionMode.options.map(
    (mode) => `${mode === held ? "*" : " "} ${mode.padEnd(7)} ${PERMISSION_MEANINGS[mode]}`,
  );
  const planning = state.now.mode === "plan" ? ["The session is in plan mode, which comes first."] : [];
  return [`Permissions: ${held}`, ...lines, ...planning].join("\n");
}

async function set(mode: PermissionMode, call: CommandCall): Promise<CommandResult> {
  const outcome = await call.apply({ type: "permit", mode });
  if (!outcome.ok) return { refusal: outcome.refusal };
  return { message: `Permissions: ${mode} — ${PERMISSION_MEANINGS[mode]}.` };
}

const unknown = (asked: string) =>
  refuse("COMMAND_USAGE", `There is no permission mode "${asked.trim().slice(0, 40)}". Usage: ${USAGE}`).refused;
