/**
 * Sub-agents as their parent's session keeps them: a child is registered here before it exists, so that whoever asks
 * whether children are open never misses one.
 *
 *   spawn ──▶ running ──its turns come to rest · it is gone──▶ ended ──send──▶ running
 *                └──replaced──▶ running, being stopped ──seen at rest──▶ ended
 */
import { z } from "zod";
import { lazySchema } from "../../../protocol/lazy-schema.ts";
import { MessageId, SessionId } from "../../../protocol/ids.ts";
import { MESSAGE_CHARS_MAX, TITLE_CHARS_MAX } from "../../../protocol/session.ts";

export const SUB_AGENTS_SLICE = "subagents";
export const SUB_AGENTS_KEPT_MAX = 64;
export const RETURN_CHARS_MAX = 20_000;

/** The queued text that brings back what a child said; `stamp` tells its returns apart. */
export const RETURN_KIND = "subagent_return";
export const returnId = (childId: SessionId, stamp: number | ""): string => `subagent-return:${childId}:${stamp}`;

export const SubAgentSettings = lazySchema(() =>
  z.strictObject({
    max: z.int().min(0).max(16).default(4).describe("How many sub-agents of one session may run at once; 0: none."),
  }),
);
export type SubAgentSettings = z.infer<typeof SubAgentSettings>;

const task = z.string().trim().min(1).max(MESSAGE_CHARS_MAX);
const title = z.string().max(TITLE_CHARS_MAX);

/** How a child came to rest; `gone`: its session was deleted or could not be made. */
export const ChildOutcome = z.enum(["done", "aborted", "failed", "empty", "gone"]);
export type ChildOutcome = z.infer<typeof ChildOutcome>;

const known = {
  id: SessionId,
  title,
  startedAtMs: z.int(),
  /** Where the child stood when it was last heard of; what is older than this is old news. */
  stamp: z.int().nonnegative(),
  /** A person stood behind the turn that ordered what it does, and stands behind the one that takes up its return. */
  attended: z.boolean().optional(),
  /** Only an approved plan stood behind that turn; the one that takes up its return is bound by the plan too. */
  lent: z.boolean().optional(),
  /** How many orders it was given, stops included; a report that knows of fewer does not close it. */
  order: z.int().positive().optional(),
};

export const Child = lazySchema(() =>
  z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("running"),
      ...known,
      /** It was ordered to stop, and counts as running until it is seen at rest. */
      stopping: z.boolean().optional(),
    }),
    z.strictObject({ status: z.literal("ended"), ...known, endedAtMs: z.int(), outcome: ChildOutcome }),
  ]),
);
export type Child = z.infer<typeof Child>;

export const SubAgentsState = lazySchema(() => z.strictObject({ children: z.array(Child).max(SUB_AGENTS_KEPT_MAX) }));
export type SubAgentsState = z.infer<typeof SubAgentsState>;

export const SubAgentsCommand = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("spawn"),
      task,
      title: title.optional(),
      /** A child whose place the new one takes; it is stopped. */
      replaces: SessionId.optional(),
    }),
    z.strictObject({ type: z.literal("send"), childId: SessionId, text: task }),
    z.strictObject({
      type: z.literal("observe"),
      childId: SessionId,
      stamp: z.int().nonnegative(),
      /** The newest order that the child had settled when it was seen. */
      order: z.int().positive().exactOptional(),
      seen: z.discriminatedUnion("status", [
        z.strictObject({ status: z.literal("running") }),
        z.strictObject({
          status: z.literal("ended"),
          outcome: ChildOutcome,
          text: z.string().max(RETURN_CHARS_MAX),
        }),
      ]),
    }),
  ]),
);
export type SubAgentsCommand = z.infer<typeof SubAgentsCommand>;

const at = { atMs: z.int() };

export const SubAgentsEvent = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("child.spawned"),
      childId: SessionId,
      title,
      task,
      messageId: MessageId,
      replaces: SessionId.optional(),
      attended: z.boolean().optional(),
      lent: z.boolean().optional(),
      ...at,
    }),
    z.strictObject({
      type: z.literal("child.sent"),
      childId: SessionId,
      text: task,
      messageId: MessageId,
      attended: z.boolean().optional(),
      lent: z.boolean().optional(),
      ...at,
    }),
    z.strictObject({
      type: z.literal("child.stopping"),
      childId: SessionId,
      attended: z.boolean().optional(),
      lent: z.boolean().optional(),
      ...at,
    }),
    z.strictObject({ type: z.literal("child.resumed"), childId: SessionId, stamp: z.int(), ...at }),
    z.strictObject({
      type: z.literal("child.ended"),
      childId: SessionId,
      stamp: z.int(),
      outcome: ChildOutcome,
      text: z.string(),
      /** It returned before a later order reached it, so it still counts as running. */
      open: z.boolean().optional(),
      ...at,
    }),
  ]),
);
export type SubAgentsEvent = z.infer<typeof SubAgentsEvent>;
