/**
 * The public SDK. Plan mode is built on this file alone, so an outside plugin can do whatever plan mode does.
 * `definePlugin` declares; nothing runs until the host calls `register`.
 */
import type { z } from "zod";
import type { Slice } from "../core/slice.ts";
import type { Scope } from "../protocol/actor.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Command } from "./command.ts";
import type { CommandJudge } from "./command-judge.ts";
import type { TrustedToolPolicy } from "./policy.ts";
import type { PromptPart } from "./prompt.ts";
import type { Tool } from "./tool.ts";

export type { ChildOrder, ChildReport, Effect } from "../core/effect.ts";
export { askGuards } from "../core/guards.ts";
export { never } from "../core/never.ts";
export { defuse, defuseLine, quoted } from "../core/text/envelope.ts";
export { skeleton } from "../core/text/look-alikes.ts";
export { firstChars, isBlank, oneLine, revealHidden } from "../core/text/visible-text.ts";
export type {
  AnySlice,
  Drive,
  GatedCall,
  GuardVerdict,
  Slice,
  SliceContext,
  SliceDecision,
  SliceRegistry,
  Waiting,
} from "../core/slice.ts";
export type { Command, CommandCall, CommandReply } from "./command.ts";
export { canonicalJson, digestOf } from "./canonical-json.ts";
export type {
  CommandJudge,
  CommandPlace,
  CommandProcess,
  CommandVerdict,
  ReadOnlyCommand,
  SandboxView,
  UnprovenCommand,
} from "./command-judge.ts";
export type { PolicyQuestion, PolicyVerdict, SliceOrder, TrustedToolPolicy } from "./policy.ts";
export type { PromptPart, PromptPlace } from "./prompt.ts";
export type {
  DynamicTool,
  Permit,
  ReadTool,
  StateTool,
  StateToolContext,
  Tool,
  ToolContext,
  ToolOutput,
  WriteTool,
} from "./tool.ts";

/** A field of `sessions.patch` that belongs to a plugin: its value becomes a command of the plugin's slice. */
export type PatchField<Value> = {
  field: string;
  schema: z.ZodType<Value>;
  requiredScopes: readonly Scope[];
  slice: string;
  toCommand(value: Value): JsonObject;
};

export type PluginApi = {
  session: {
    registerExtension<State, Cmd, Event extends { type: string }, Settings>(
      slice: Slice<State, Cmd, Event, Settings>,
    ): void;
    registerPatchField<Value>(field: PatchField<Value>): void;
  };
  tools: {
    registerTool<Args>(tool: Tool<Args>): void;
    registerTrustedPolicy(policy: TrustedToolPolicy): void;
    /** Proves of shell commands that they only read; at most one plugin may. */
    registerCommandJudge(judge: CommandJudge): void;
  };
  commands: { registerCommand(command: Command): void };
  prompts: { registerPart(part: PromptPart): void };
};

export type Plugin = { id: string; name: string; description: string; register(api: PluginApi): void };

export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}
