/** Gathers what plugins register. Everything is refused by name when it is claimed twice: there is one owner per idea. */
import { anySlice, type AnySlice } from "../core/slice.ts";
import type { Command } from "./command.ts";
import type { CommandJudge } from "./command-judge.ts";
import type { TrustedToolPolicy } from "./policy.ts";
import type { PromptPart } from "./prompt.ts";
import type { PatchField, Plugin, PluginApi } from "./sdk.ts";
import type { Tool } from "./tool.ts";

export type PluginHost = {
  slices: ReadonlyMap<string, AnySlice>;
  patchFields: ReadonlyMap<string, PatchField<unknown>>;
  tools: readonly Tool[];
  policies: readonly TrustedToolPolicy[];
  /** Absent: nobody can prove that a command only reads. */
  commandJudge?: CommandJudge;
  commands: ReadonlyMap<string, RegisteredCommand>;
  /** Parts of the system prompt, in the order in which they were registered. */
  promptParts: ReadonlyMap<string, PromptPart>;
};

/** A command together with what it may order about: the session extension of its own plugin, and no other. */
export type RegisteredCommand = Command & { slice: string | undefined };

export function loadPlugins(plugins: readonly Plugin[]): PluginHost {
  const slices = new Map<string, AnySlice>();
  const patchFields = new Map<string, PatchField<unknown>>();
  const commands = new Map<string, RegisteredCommand>();
  const promptParts = new Map<string, PromptPart>();
  const tools: Tool[] = [];
  const policies: TrustedToolPolicy[] = [];
  let commandJudge: CommandJudge | undefined;

  const apiFor = (own: Owned): PluginApi => ({
    session: {
      registerExtension(slice) {
        claim(slices, { name: slice.name, value: anySlice(slice), what: "session extension" });
        own.slice ??= slice.name;
      },
      registerPatchField: (field) =>
        claim(patchFields, { name: field.field, value: field, what: "field of sessions.patch" }),
    },
    tools: {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a tool parses its own arguments, so their type may be forgotten
      registerTool: (tool) => void tools.push(tool as Tool),
      registerTrustedPolicy: (policy) => void policies.push(policy),
      registerCommandJudge(judge) {
        if (commandJudge !== undefined) throw new Error("The judging of commands is claimed twice.");
        commandJudge = judge;
      },
    },
    commands: {
      registerCommand(command) {
        const value = {
          ...command,
          get slice() {
            return own.slice;
          },
        }; // whichever of the two it registers first
        claim(commands, { name: command.name, value, what: "command" });
      },
    },
    prompts: { registerPart: (part) => claim(promptParts, { name: part.id, value: part, what: "prompt part" }) },
  });
  for (const plugin of plugins) plugin.register(apiFor({ slice: undefined }));
  const judging = commandJudge === undefined ? {} : { commandJudge };
  return { slices, patchFields, tools, policies, ...judging, commands, promptParts };
}

type Owned = { slice: string | undefined };

function claim<Value>(
  owners: Map<string, Value>,
  { name, value, what }: { name: string; value: Value; what: string },
): void {
  if (owners.has(name)) throw new Error(`The ${what} "${name}" is claimed twice.`);
  owners.set(name, value);
}
