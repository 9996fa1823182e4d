/** What a plugin keeps in one session, as it is stored and changed: the slice `plugin:<id>`. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { INJECTION_TEXT_CHARS_MAX } from "../injection.ts";
import { Json } from "../json.ts";

const PREFIX = "plugin:";
export const pluginSlice = (pluginId: string): string => `${PREFIX}${pluginId}`;
/** Whose it is; undefined for a slice that belongs to no plugin's JSON state. */
export const pluginIdOf = (slice: string): string | undefined =>
  slice.startsWith(PREFIX) ? slice.slice(PREFIX.length) : undefined;

const NAMESPACES_MAX = 16;
/** More than a queue holds: those of the lowest priority are evicted by the core, which says so. */
export const INJECTIONS_PER_COMMIT_MAX = 100;
const NOTICE_CHARS_MAX = 4_000;
const RAN_CHARS_MAX = 200;
const TTL_MS_MAX = 366 * 86_400_000;

const namespace = z.string().min(1).max(64);
const values = z.record(namespace, Json).refine((given) => Object.keys(given).length <= NAMESPACES_MAX);

export const PluginState = lazySchema(() =>
  z.strictObject({
    /** Grows with each change: a commit that was computed from an older one is refused, and computed again. */
    version: z.int().nonnegative(),
    values,
    /** What clients may see of the values, as the plugin projected them with the last change: it need not run to show it. */
    shown: values.exactOptional(),
  }),
);
export type PluginState = z.infer<typeof PluginState>;

export const PluginInjection = lazySchema(() =>
  z.strictObject({
    id: z.string().min(1).max(128),
    text: z.string().min(1).max(INJECTION_TEXT_CHARS_MAX),
    priority: z.int().min(0).max(9),
    ttlMs: z.int().positive().max(TTL_MS_MAX).optional(),
    placement: z.literal("after").optional(),
  }),
);
export type PluginInjection = z.infer<typeof PluginInjection>;

/** All of it, or nothing: state, text for the agent, a line for people, and the turn that resumes the agent. */
export const PluginCommand = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("commit"),
      /** Absent: nothing of the state was read or changed. */
      base: z.int().nonnegative().optional(),
      values: values.default({}),
      injections: z.array(PluginInjection).max(INJECTIONS_PER_COMMIT_MAX).default([]),
      notice: z.string().min(1).max(NOTICE_CHARS_MAX).optional(),
      continueAgent: z.boolean().default(false),
      /** With `continueAgent`: what the person ran, as the agent reads it. */
      ran: z.string().min(1).max(RAN_CHARS_MAX).optional(),
      /** What the person did, for the audit: `command:/deploy approve`. */
      cause: z.string().min(1).max(200),
    }),
  ]),
);
export type PluginCommand = z.infer<typeof PluginCommand>;

/** What a session remembers of one commit. */
export type PluginEvent = {
  type: "plugin.committed";
  version: number;
  values: PluginState["values"];
  /** Projections of what changed; absent in what was stored before they were kept. */
  shown?: PluginState["values"];
  injections: PluginInjection[];
  notice: string | null;
  continueAgent: boolean;
  /** What was run, for the agent; absent in what was stored before it was kept. */
  ran?: string;
  cause: string;
};
