/** What the configuration file says about the mirrors of plans. */
import { z } from "zod";
import { type ConfigSections, NO_SECTIONS } from "../../protocol/plugin/plugin-protocol.ts";

export const LIBRARY_CONFIG = {
  ...NO_SECTIONS,
  root: {
    workUnits: z
      .strictObject({
        enabled: z
          .boolean()
          .default(false)
          .describe("Mirror each approved plan and its progress to .holdpoint/work/<unit>/ in the workspace."),
      })
      .prefault({})
      .describe("Plans as files beside the work."),
  },
} as const satisfies ConfigSections;
