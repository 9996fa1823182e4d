/** Snapshots and drift in the configuration file: `changes`. */
import { z } from "zod";
import { lazySchema } from "../../protocol/lazy-schema.ts";
import { type ConfigSections, NO_SECTIONS } from "../../protocol/plugin/plugin-protocol.ts";

const MB = 1_048_576;
export const SNAPSHOT_DEFAULTS = { filesMax: 50_000, fileBytesMax: 8 * MB, bytesMax: 512 * MB } as const;

const limit = z.int().min(1).max(100_000).optional();

const ChangesFields = lazySchema(() =>
  z.strictObject({
    enabled: z.boolean().optional().describe("Snapshots around each changing call of an approved plan. On if unset."),
    ignored: z.boolean().optional().describe("Keep files that .gitignore names, too. Off if unset."),
    filesMax: z.int().min(1).max(1_000_000).optional().describe("Files that are looked at; 50000 if unset."),
    fileBytesMax: z
      .int()
      .min(1_024)
      .max(128 * MB)
      .optional()
      .describe("Larger files are not kept; 8 MiB if unset."),
    bytesMax: z
      .int()
      .min(MB)
      .max(16_384 * MB)
      .optional()
      .describe("Kept for one plan at most; 512 MiB if unset."),
    onFailure: z
      .enum(["warn", "refuse"])
      .optional()
      .describe(
        "When a snapshot cannot be taken: warn says so and goes on, refuse does not run the call. warn if unset.",
      ),
    drift: z
      .strictObject({
        warn: limit.describe("From so many files that no step names people are told; 1 if unset."),
        pause: limit.describe("From so many on nothing more is changed until a person resumes it. Off if unset."),
        stop: limit.describe("From so many on nothing more is changed under this plan. Off if unset."),
      })
      .optional(),
  }),
);

export const CHANGES_CONFIG = {
  ...NO_SECTIONS,
  root: {
    changes: ChangesFields.optional().describe("What approved plans change: snapshots, drift, rollback."),
  },
} as const satisfies ConfigSections;
