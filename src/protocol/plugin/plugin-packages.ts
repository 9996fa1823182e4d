/** Plugins as packages: what is kept about each in `plugins.json`, and what operators are shown of them. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { JsonObject } from "../json.ts";
import { PluginId, PluginNeed, PluginTier } from "./plugin-manifest.ts";
import { LocalizedLines } from "../localized/localized-lines.ts";

export const PLUGINS_MAX = 200;
const WORDS_MAX = 200;
const TEXT_CHARS_MAX = 4_096;

/** `sha512-` and the digest in base64, over the list of all files with their own digests. */
const integrity = z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "sha512- and a digest in base64");
const text = z.string().max(TEXT_CHARS_MAX);
const words = z.array(z.string().max(200)).max(WORDS_MAX);

/**
 * All that a manifest asks its operator for, in a form that is shown, compared and agreed to. An upgrade that asks for
 * more than was agreed stays off until somebody has agreed again.
 */
export const PluginAsk = lazySchema(() =>
  z.strictObject({
    trust: z.enum(["ordinary", "trusted"]),
    needs: z.array(PluginNeed).max(WORDS_MAX),
    /** With the scopes: `/deploy (operator.approvals)`. */
    commands: words,
    /** With the effect: `deploy_status (read)`. */
    tools: words,
    policies: words,
    hooks: words,
  }),
);
export type PluginAsk = z.infer<typeof PluginAsk>;

const PluginSource = lazySchema(() =>
  z.strictObject({
    /** `found`: put by hand into the plugins folder; `path`: in a folder that the configuration names. */
    kind: z.enum(["bundled", "folder", "archive", "package", "found", "path"]),
    /** What was given at the installation, or where it was found. */
    from: text,
  }),
);

export const PluginRecord = lazySchema(() =>
  z.strictObject({
    source: PluginSource,
    version: z.string().max(100),
    integrity: integrity.nullable(),
    installedAtMs: z.int(),
    /** Only to the very files that this digest names: whatever changes in them, the trust is gone. */
    trust: z.strictObject({ integrity, atMs: z.int(), by: text }).nullable(),
    agreed: PluginAsk.nullable(),
    enabled: z.boolean(),
    disabledBecause: text.nullable(),
    /** What its lines mean. */
    disabledSaid: LocalizedLines.exactOptional(),
    /** It failed too often, and the gateway switched it off: nobody decided that, so somebody should look at it. */
    disabledBy: z.literal("failures").exactOptional(),
  }),
);
export type PluginRecord = z.infer<typeof PluginRecord>;

export const PluginRecords = lazySchema(() =>
  z.strictObject({
    format: z.literal(1),
    plugins: z.record(PluginId, PluginRecord).refine((all) => Object.keys(all).length <= PLUGINS_MAX),
  }),
);
export type PluginRecords = z.infer<typeof PluginRecords>;

/** `ready`: loaded when something of it is needed. `refused`: it is switched on and cannot be loaded; `because` says why. */
export const PluginStatus = z.enum(["active", "ready", "disabled", "refused"]);
export type PluginStatus = z.infer<typeof PluginStatus>;

export const PluginView = lazySchema(() =>
  z.strictObject({
    id: PluginId,
    name: z.string(),
    version: z.string(),
    description: z.string(),
    tier: PluginTier,
    standing: PluginStatus,
    because: z.string().nullable(),
    /** What the lines of `because` mean, for surfaces that speak other languages. */
    said: LocalizedLines.exactOptional(),
    source: PluginSource,
    folder: z.string().nullable(),
    ask: PluginAsk,
    /** Names exactly this ask: `plugins.enable` wants it back, so that nobody agrees to what they were not shown. */
    askDigest: z.string(),
    /** What of the ask nobody has agreed to yet, a line each. */
    notAgreed: z.array(z.string()),
  }),
);
export type PluginView = z.infer<typeof PluginView>;

export const PluginProblem = lazySchema(() =>
  z.strictObject({
    id: z.string(),
    problem: z.string(),
    advice: z.string(),
    saidProblem: LocalizedLines.exactOptional(),
    saidAdvice: LocalizedLines.exactOptional(),
  }),
);
export type PluginProblem = z.infer<typeof PluginProblem>;

export const PluginList = lazySchema(() =>
  z.strictObject({
    plugins: z.array(PluginView),
    /** Folders that hold no usable plugin, changed files, lapsed trust, settings that do not fit. */
    problems: z.array(PluginProblem),
  }),
);
export type PluginList = z.infer<typeof PluginList>;

/** What `plugins.changed` carries. `trouble`: it is on and cannot be used, or was switched off by itself. */
export const PluginsChanged = lazySchema(() =>
  z.strictObject({
    pluginId: z.string(),
    change: z.enum(["enabled", "disabled", "muted", "failed", "trouble"]),
    why: z.string(),
  }),
);
export type PluginsChanged = z.infer<typeof PluginsChanged>;

const PATHS_MAX = 50;

export const PluginSettings = lazySchema(() =>
  z.strictObject({
    enabled: z.boolean().default(true).describe("false: no plugin is loaded besides those of the house."),
    paths: z
      .array(
        z
          .string()
          .max(4_096)
          .regex(/^(?:\/|[A-Za-z]:[\\/])/, "a whole path"),
      )
      .max(PATHS_MAX)
      .default([])
      .describe("Folders of single plugins besides those that were installed, such as one that is being written."),
    entries: z
      .record(
        PluginId,
        z.strictObject({
          enabled: z.boolean().optional().describe("false: not loaded, whatever was said by `plugins enable`."),
          config: JsonObject.optional().describe("What the plugin's own schema asks for."),
        }),
      )
      .default({})
      .describe("Settings by plugin."),
  }),
);
export type PluginSettings = z.infer<typeof PluginSettings>;
