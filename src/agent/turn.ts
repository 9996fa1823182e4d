/** One running turn, and what its parts share. */
import type { History } from "../plugins/sessions.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { LocalizedLine, LocalizedText } from "../protocol/localized/localized-text.ts";
import type { Session } from "../protocol/session.ts";
import type { ToolCall } from "../protocol/transcript-entry.ts";
import type { Lease, LeaseParts } from "./lease.ts";
import type { Model, Picture, ToolSpec } from "./model.ts";
import type { ModelHealth } from "./model-health.ts";
import type { Fence } from "./prompt/fence.ts";
import type { LoadedContext } from "./context-files/context-files.ts";
import type { PromptSource, TurnPrompt } from "./prompt/prompt-source.ts";
import type { TurnTranscript } from "./turn-transcript.ts";

/** What the loop needs of the tools: the catalog, and the one road to a result. */
type Tools = {
  catalog(session: Session): readonly ToolSpec[];
  /** What the model is shown; absent: the catalog. `before`: what it was shown before in this turn. */
  surface?(session: Session, before?: "catalog" | "projection"): Promise<ShownSurface>;
  call(
    call: ToolCall,
    caller: {
      sessionId: SessionId;
      turnId: TurnId;
      epoch: number;
      signal: AbortSignal;
      leaseLeftMs(): number;
    },
  ): Promise<{ status: "closed" } | { status: "stopped"; refusal: Refusal }>;
};

/** `exact`: the request that leaves names these tools and no other. */
export type ShownSurface =
  | { kind: "catalog"; note?: LocalizedText }
  | {
      kind: "projection";
      exact: readonly ToolSpec[];
      note?: LocalizedText;
      /** What a call of the model means; one that it could not have been shown has a problem. */
      bind(call: ToolCall): ToolCall;
    }
  | { kind: "failed"; words: LocalizedText };

export type TurnRunnerParts = LeaseParts & {
  history: History;
  tools: Tools;
  prompt: PromptSource;
  /** Separates untrusted text from the gateway's own. */
  fence: Fence;
  /** Settings of every slice and of the turns themselves, resolved for one session. */
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** The models of this session; each is asked when those before it have failed. */
  modelFor(session: Session): Model | readonly Model[];
  health: ModelHealth;
  /** Text as it streams, for people who watch; what counts is the entry that follows. */
  onDelta(sessionId: SessionId, delta: { turnId: TurnId; text: string; said?: LocalizedLine[] }): void;
  /** An image that somebody attached to a message. */
  picture(sessionId: SessionId, attachmentId: string): Promise<Picture | undefined>;
  report(error: unknown): void;
  /** Logs a warning about the agent's files. */
  warn(sessionId: SessionId, warning: string): void;
  /** Calls without a result were repaired in what the model is sent; once per turn. Absent: nobody wants to know. */
  repaired?(sessionId: SessionId, calls: readonly ToolCall[]): void;
};

export type Turn = {
  lease: Lease;
  transcript: TurnTranscript;
  parts: TurnRunnerParts;
  /** What this process remembers of the turn; a successor does without it. */
  memory: {
    prompt?: TurnPrompt;
    /** Its files, where they were read while the turn's start committed. */
    reading?: Promise<LoadedContext | undefined>;
    compactions: number;
    noted: Set<string>;
    repairsReported?: boolean;
    surface?: ShownSurface;
  };
};

/** `later`: the turn is not over, but it cannot go on in this process now. */
export type End = "done" | "later";
