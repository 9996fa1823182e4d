/** Changes and rollback as clients, documents and the configuration see them. */
import type { PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { CHANGE_METHODS } from "./change-methods.ts";
import { FileDiff, PlanChanges, RollbackPreview } from "./changes.ts";
import { CHANGES_CONFIG } from "./config.ts";
import { facts } from "./facts.ts";
import { refusals } from "./refusals.ts";
import { ChangesEvent } from "./state.ts";

export const changesProtocol = {
  id: "changes",
  folder: "changes",
  methods: CHANGE_METHODS,
  patchFields: {},
  config: CHANGES_CONFIG,
  facts,
  refusals,
  events: ChangesEvent,
  shared: { PlanChanges, FileDiff, RollbackPreview },
} as const satisfies PluginProtocol;
