/** The system prompt of one turn: files are read once when the turn begins, the session's state counts at each request. */
import type { PromptPlace } from "../../plugins/sdk.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Session } from "../../protocol/session.ts";
import type { ContextFiles, LoadedContext } from "../context-files/context-files.ts";
import { type PromptParts, systemPrompt } from "./system-prompt.ts";

export type TurnPrompt = {
  system(session: Session, modelId: string): string;
  /** What a person should know about the files that went in. */
  warnings: readonly LocalizedText[];
};

export type PromptSource = {
  /** Begins to read the files of a turn that is about to start; the disk is read while the start commits. */
  read?(session: Session): Promise<LoadedContext>;
  /** `modelId` is whom the turn will ask first; `reading`: what `read` began for it. */
  open(session: Session, modelId: string, reading?: Promise<LoadedContext | undefined>): Promise<TurnPrompt>;
};

export type PromptSourceParts = Omit<PromptParts, "overlays"> & {
  context: ContextFiles;
  overlays(session: Session): PromptParts["overlays"];
  settingsFor(session: Session): PromptPlace["settings"];
};

/** What hooks add to the stable part: the same for each turn of a session with one model. */
type Notes = (session: Session, modelId: string) => Promise<string>;

export function createPromptSource(parts: PromptSourceParts, notesFor?: Notes): PromptSource {
  return {
    read: (session) => parts.context.load(session),
    async open(opened, firstModelId, reading) {
      const context: LoadedContext = (await reading) ?? (await parts.context.load(opened));
      const notes = (await notesFor?.(opened, firstModelId)) ?? "";
      return {
        warnings: context.warnings,
        system: (session, modelId) =>
          systemPrompt(
            { place: { session, settings: parts.settingsFor(session) }, modelId, context, notes },
            { plugins: parts.plugins, overlays: parts.overlays(session), fence: parts.fence },
          ),
      };
    },
  };
}
