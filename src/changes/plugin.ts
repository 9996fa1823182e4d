/** Changes: what an approved plan does to its workspace, per step and per file, with drift and rollback. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CycleId, SessionId } from "../protocol/ids.ts";
import { definePlugin, type Documents, type Plugin, type PluginApi, z } from "../plugins/sdk.ts";
import { changesCommands } from "./commands/changes-commands.ts";
import type { PlannedStep } from "./machine/executing-plan.ts";
import { LIST_ORDER, RESTORE_ORDER } from "./machine/effects.ts";
import { changesSlice } from "./machine/slice.ts";
import { changeMethods } from "./methods/change-methods.ts";
import { findCycle, type PlanChangesParts } from "./methods/plan-changes.ts";
import { createRollbackWaits, performRestore } from "./methods/roll-back.ts";
import { changesProtocol } from "./protocol/index.ts";
import { performList } from "./record/list-files.ts";
import { type ChangesHome, createRecorder } from "./record/recorder.ts";
import { changesSettings } from "./settings.ts";
import { createSnapshotThread, type Snapshots } from "./snapshots/snapshot-thread.ts";
import { ENGLISH } from "./texts/en.ts";

export type ChangesParts = {
  /** The gateway's own folder. */
  home: string;
  /** Leaves keys out of a text, as for what tools print; absent: nothing is left out. */
  redact?: (text: string) => string;
};

export const startPlugin = ({ home, redact = (text) => text }: ChangesParts): Plugin =>
  definePlugin({
    id: changesProtocol.id,
    name: ENGLISH.plugin_changes,
    description: ENGLISH.about_changes,
    register(api) {
      const snapshots = createSnapshotThread();
      const place: ChangesHome = { folder: join(home, "changes"), hidden: [home] };
      const waits = createRollbackWaits();
      const parts = { ...partsOf(api, place), redact, snapshots, waits };
      const find = (sessionId: SessionId, cycleId: string) =>
        findCycle({ sessionId, cycleId: CycleId.parse(cycleId) }, parts);
      api.session.registerSlice(changesSlice);
      api.settings.register(changesSettings);
      api.session.registerWorker({
        slice: changesSlice.name,
        orders: [RESTORE_ORDER, LIST_ORDER],
        perform: (order, call) =>
          (order.do === LIST_ORDER ? performList : performRestore)(order, call, { ...parts, api, find }),
      });
      api.tools.registerCallWitness(createRecorder({ api, snapshots, home: place }));
      for (const method of changeMethods(parts)) api.methods.register(method);
      api.commands.registerSubcommands(changesCommands(parts));
      forgetDeleted(api, place, snapshots);
      api.lifecycle.register({ dispose: () => snapshots.stop() });
    },
  });

const partsOf = (api: PluginApi, home: ChangesHome): Omit<PlanChangesParts, "redact"> => ({
  home,
  session: (id) => api.sessions.read(id),
  settings: (sessionId) => api.settings.read(sessionId),
  exists: existsSync,
  stepsOf: (sessionId, cycleId) => plannedSteps(api.documents, sessionId, cycleId),
});

const PLANS_LOOKED_AT_MAX = 200;
const Planned = z.object({
  cycleId: CycleId,
  body: z.object({
    plan: z.array(
      z.object({
        step: z.string(),
        status: z.string(),
        acceptanceCriteria: z.array(z.string()).optional(),
        scope: z
          .object({ paths: z.array(z.string()).optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    ),
  }),
});

/** Of the revision that was submitted last in this cycle: the one that was approved, if one was. */
async function plannedSteps(
  documents: Documents,
  sessionId: SessionId,
  cycleId: CycleId,
): Promise<readonly PlannedStep[]> {
  const page = await documents.list({ kind: "plan", sessionId, cursor: null, limit: PLANS_LOOKED_AT_MAX });
  if ("refused" in page) return [];
  for (const { body } of page.items) {
    const plan = Planned.safeParse(body);
    if (plan.success && plan.data.cycleId === cycleId) return plan.data.body.plan;
  }
  return [];
}

/** Snapshots go with their session; those of one that went while the gateway was down go at the next start. */
function forgetDeleted(api: PluginApi, { folder }: ChangesHome, snapshots: Snapshots): void {
  const forget = async (sessionId: string): Promise<void> => {
    if (SessionId.safeParse(sessionId).success) await snapshots.ask("forget", { folder: join(folder, sessionId) });
  };
  api.on("session_end", async ({ sessionKey, reason }) => {
    if (reason === "delete" && existsSync(join(folder, sessionKey))) await forget(sessionKey);
  });
  api.on("gateway_start", async () => {
    if (!existsSync(folder)) return;
    for (const sessionId of readdirSync(folder)) {
      if ((await api.sessions.read(sessionId)) === undefined) await forget(sessionId);
    }
  });
}
