/**
 * Who makes tool calls in a session besides its turn: a code cell, or an agent that runs outside (ADR 0019).
 *
 *   external:  open ─▶ running ──renew──▶ running ──close · lease over──▶ gone
 *   cell:      open ─▶ running ──suspend──▶ settling ──its last call closed──▶ suspended ──resume──▶ running
 *                         └──close · lease over · its call closed──▶ gone          └──kept long enough──▶ gone
 *
 * Only a running caller opens and claims calls; a settling one records what it had begun. Each lease has an epoch that no
 * other lease of the session ever had.
 */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { CallerId, TurnId } from "../ids.ts";

/** Callers of one session at a time, suspended cells included. */
export const CALLERS_MAX = 16;
/** Calls of all callers of a session that have no result yet: what one reset must close fits into one commit. */
export const CALLER_CALLS_MAX = 32;
/** No lease lasts longer, whatever its holder asks for. */
export const CALLER_LEASE_MS_MAX = 60_000;
export const CELL_KEPT_MS_MAX = 24 * 3_600_000;
export const CALL_REF_CHARS_MAX = 128;

/** A tool call that was made and that has no result yet. `claimed` means that it may have started. */
export const OpenCall = lazySchema(() =>
  z.strictObject({ callId: z.string(), tool: z.string(), claimed: z.boolean() }),
);
export type OpenCall = z.infer<typeof OpenCall>;

/** Names a caller in facts, in entries and to guards; where there is none, the turn made the call. */
export const CallerRef = z.strictObject({ id: CallerId, kind: z.enum(["cell", "external"]) });
export type CallerRef = z.infer<typeof CallerRef>;

/** What a caller shows with every command: an older epoch is refused. */
export const CallerProof = lazySchema(() => z.strictObject({ id: CallerId, epoch: z.int() }));
export type CallerProof = z.infer<typeof CallerProof>;

/** The call of a turn inside which a cell runs. */
export const CellParent = lazySchema(() => z.strictObject({ turnId: TurnId, callId: z.string() }));
export type CellParent = z.infer<typeof CellParent>;

const lease = { node: z.string(), leaseUntilMs: z.int() };
const Held = lazySchema(() => z.strictObject({ status: z.literal("running"), ...lease }));
const CellLife = lazySchema(() =>
  z.discriminatedUnion("status", [
    Held,
    z.strictObject({ status: z.literal("settling"), ...lease, keptUntilMs: z.int() }),
    z.strictObject({ status: z.literal("suspended"), keptUntilMs: z.int() }),
  ]),
);

const anyCaller = {
  id: CallerId,
  epoch: z.int().positive(),
  openedAtMs: z.int(),
  /** Calls that it made so far; with the epoch it makes the next one's id, so that no call id comes twice in a session. */
  callCount: z.int().nonnegative(),
  calls: z.array(OpenCall).max(CALLER_CALLS_MAX),
};

export const SessionCaller = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("cell"), ...anyCaller, parent: CellParent, life: CellLife }),
    z.strictObject({
      kind: z.literal("external"),
      ...anyCaller,
      /** The connection that it lives as long as. */
      connection: z.string().min(1).max(CALL_REF_CHARS_MAX),
      life: Held,
    }),
  ]),
);
export type SessionCaller = z.infer<typeof SessionCaller>;
export type CellCaller = Extract<SessionCaller, { kind: "cell" }>;
