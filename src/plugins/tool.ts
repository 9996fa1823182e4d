/** Tools as a plugin declares them. A tool without a classification cannot be written down: the type demands one. */
import type { z } from "zod";
import type { Confinement } from "../protocol/calls/confinement.ts";
import type { CallerRef } from "../protocol/calls/caller.ts";
import type { ToolEffect, ToolKind } from "../protocol/gate.ts";
import type { SessionId, TurnId } from "../protocol/ids.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";

export type ToolContext = {
  sessionId: SessionId;
  /** Absent where an agent outside makes the call. */
  turnId?: TurnId;
  callId: string;
  /** The epoch of the lease under which the call is made: whoever continues in its name must present it. */
  epoch?: number;
  /** The caller; absent when the turn makes the call. */
  caller?: CallerRef;
  /** The folder the agent works in; file tools stay inside it. */
  workspace: string;
  /** Of the folder that the workspace is; whoever opens it by its path compares. */
  workspaceIdentity?: string;
  /** It may change no more than each of these allows; absent: what the tool may. Whoever acts for it enforces this. */
  confine?: readonly Confinement[];
  signal: AbortSignal;
  /**
   * For how long the lease still holds under which the call is made; 0: somebody else may have taken it over. A tool that
   * takes its time before it changes something looks again right before. Absent: nobody else can.
   */
  leaseLeftMs?(): number;
  /** Output while the call runs, for people who watch; the result is what counts. */
  emit(chunk: string): void;
};

export type ToolOutput = { status: "ok" | "error"; content: Json };

/**
 * Proof that the gate pipeline let exactly this call pass and that its claim is in the store. Only the pipeline can
 * make one, and it is spent by the first executor that takes it.
 */
export type Permit = {
  readonly sessionId: SessionId;
  readonly callId: string;
  readonly argsDigest: string;
  readonly epoch: number;
  /** Whose lease the epoch belongs to; absent: the turn's. */
  readonly caller?: CallerRef;
};

/** Who a tool belongs to: a part of the gateway, a plugin, an MCP server, or a client that lends it. */
export type ToolOrigin = {
  source: "holdpoint" | "plugin" | "mcp" | "client";
  owner: string;
  /** As its owner calls it. */
  name: string;
  /** As its owner describes it; absent where that is the tool's own description. */
  description?: string;
};

type Declared<Args> = {
  name: string;
  /** Written for the model. */
  description: string;
  input: z.ZodType<Args>;
  /**
   * Only of a foreign tool, whose schema is not ours: shown to the model instead of one made from `input`. It must say
   * what it does with properties that it does not name.
   */
  inputSchema?: JsonObject;
  /** Arguments that would do; shown to the model when its own do not. */
  example?: JsonObject;
  kind: ToolKind;
  /** How much its results may hold, where that is not the usual; only of what stands in place of the catalog. */
  resultCharsMax?: number;
  /** Whose it is; absent: the plugin's that registers it, or the gateway's own. */
  origin?: ToolOrigin;
  /** Further words for hooks about a call with these arguments, where the tool's name alone would mislead them. */
  hookWords?(args: JsonObject): { toolKind: string; toolInputKind?: string };
  /** The form that counts when a policy has changed some of the arguments and not those that mean the same. */
  reconcile?(args: JsonObject, before: JsonObject): JsonObject;
  /** Whether the model sees it in this session; absent means always. */
  offered?(session: Session, settings: Readonly<Record<string, unknown>>): boolean;
};

export type ReadTool<Args> = Declared<Args> & {
  effect: "read";
  run(args: Args, context: ToolContext): Promise<ToolOutput>;
};
export type WriteTool<Args> = Declared<Args> & {
  effect: "write";
  run(args: Args, context: ToolContext, permit: Permit): Promise<ToolOutput>;
};
/** Reads or writes, depending on its arguments; what `classify` cannot prove to be reading counts as writing. */
export type DynamicTool<Args> = Declared<Args> & {
  effect: "dynamic";
  classify(args: Args, context: Pick<ToolContext, "workspace">): ToolEffect;
  run(args: Args, context: ToolContext, permit: Permit | undefined): Promise<ToolOutput>;
};
/** `protectedFolders` (absolute) are the gateway's own: whoever reads a file for the agent must not read it there. */
export type StateToolContext = Pick<ToolContext, "callId" | "workspace"> & { protectedFolders: readonly string[] };
/** Changes nothing outside the session: its result is a command of a slice, committed together with the answer. */
export type StateTool<Args> = Declared<Args> & {
  effect: "state";
  slice: string;
  /** Resolves the arguments to the slice's command, or to an error that the model can act on. */
  toCommand(args: Args, context: StateToolContext): Promise<{ command: JsonObject } | { error: string }>;
};

export type Tool<Args = never> = ReadTool<Args> | WriteTool<Args> | DynamicTool<Args> | StateTool<Args>;
