/**
 * What the prompt contains besides the conversation: the agent's rules, people's files for it, the skills, and what
 * plugins add.
 */
import { createContextFiles, type ContextFiles } from "../agent/context-files/context-files.ts";
import { createReadSkill } from "../agent/context-files/read-skill.ts";
import { createFence, type Fence } from "../agent/prompt/fence.ts";
import { createPromptSource, type PromptSource, type PromptSourceParts } from "../agent/prompt/prompt-source.ts";
import type { Tool } from "../plugins/tool.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Redaction } from "../tools/redaction/redaction.ts";
import type { ComposedEngine } from "./engine.ts";
import { workspacesOf } from "./workspaces.ts";
import type { State } from "./state.ts";

export type PromptContext = {
  prompt: PromptSource;
  /** The same without what hooks of plugins add, which are asked about real sessions alone. */
  hookless: PromptSource;
  fence: Fence;
  tools: readonly Tool[];
  warn(sessionId: string, warning: string): void;
  /** What skills bring into plans. */
  templates: ContextFiles["templates"];
  /** What the scan found in the files that were read last. */
  notes(): string[];
  /** Reads and scans what the first turn will need. */
  warm(): Promise<void>;
};

export function createPromptContext(
  { options, config, log }: State,
  { host, engine, settingsFor }: ComposedEngine,
  redaction: Pick<Redaction, "text">,
): PromptContext {
  const defaults = () => config.current().agents.defaults;
  const warn = (sessionId: string, warning: string): void => log.warn({ sessionId, warning }, "a file of the agent");
  const workspaces = workspacesOf({ config, options });
  const context: ContextFiles = createContextFiles({
    home: options.home,
    settings: defaults,
    isUsable: async (place) => workspaces.problem(place) === undefined,
    redact: redaction.text,
  });
  const fence = createFence();
  const parts: PromptSourceParts = {
    get plugins() {
      return [...host.promptParts.values()]; // plugins are enabled and disabled at run time
    },
    overlays: () => defaults().overlays,
    context,
    fence,
    settingsFor,
  };
  const readSkill = createReadSkill({ context, sessions: engine, warn });
  async function warm(): Promise<void> {
    const { files } = await context.load({ agentId: "main", workspace: options.workspace });
    for (const { name, text } of files) fence(text, name);
  }
  return {
    prompt: createPromptSource(parts, (session, modelId) => host.turnTexts.notes(session, modelId)),
    hookless: createPromptSource(parts),
    fence,
    warn,
    warm,
    notes: context.notes,
    templates: context.templates,
    tools: [defineTool(readSkill)],
  };
}
