/** Settings of snapshots and drift for one session, with what is normal where the file says nothing. */
import { type SettingsSource, z } from "../plugins/sdk.ts";
import type { SettingsLevels } from "../protocol/plugin/plugin-protocol.ts";
import { CHANGES_CONFIG, SNAPSHOT_DEFAULTS } from "./protocol/config.ts";
import { CHANGES_SLICE } from "./protocol/state.ts";

const limit = z.int().optional();

export const ChangesSettings = z.object({
  enabled: z.boolean(),
  onFailure: z.enum(["warn", "refuse"]),
  limits: z.object({ filesMax: z.int(), fileBytesMax: z.int(), bytesMax: z.int(), ignored: z.boolean() }),
  drift: z.object({ warn: limit, pause: limit, stop: limit }),
});
export type ChangesSettings = z.infer<typeof ChangesSettings>;

const WARN_FROM = 1;

export function resolveChanges({ root }: Pick<SettingsLevels<typeof CHANGES_CONFIG>, "root">): ChangesSettings {
  const given = root.changes ?? {};
  const { drift = {} } = given;
  return {
    enabled: given.enabled !== false,
    onFailure: given.onFailure ?? "warn",
    limits: {
      filesMax: given.filesMax ?? SNAPSHOT_DEFAULTS.filesMax,
      fileBytesMax: given.fileBytesMax ?? SNAPSHOT_DEFAULTS.fileBytesMax,
      bytesMax: given.bytesMax ?? SNAPSHOT_DEFAULTS.bytesMax,
      ignored: given.ignored === true,
    },
    drift: { warn: drift.warn ?? WARN_FROM, pause: drift.pause, stop: drift.stop },
  };
}

export const changesSettings: SettingsSource<typeof CHANGES_CONFIG> = {
  key: CHANGES_SLICE,
  sections: CHANGES_CONFIG,
  resolve: resolveChanges,
};
