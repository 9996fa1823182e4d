/** Answers the RPC methods about changes. */
import { methodsOf, type PluginMethod } from "../../plugins/sdk.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { CHANGE_METHODS, type ChangeParamsOf } from "../protocol/change-methods.ts";
import { refuse } from "../protocol/refuse.ts";
import { CHANGES_SLICE } from "../protocol/state.ts";
import { SnapshotFailed } from "../snapshots/snapshot-thread.ts";
import { type CycleAt, describeChanges, findCycle, type PlanChangesParts } from "./plan-changes.ts";
import { byCaller, rollBack, type RollbackParts } from "./roll-back.ts";

import { diffWithoutSecrets } from "./without-secrets.ts";

export type ChangeMethodParts = PlanChangesParts & RollbackParts;

export function changeMethods(parts: ChangeMethodParts): PluginMethod<unknown, object>[] {
  const { snapshots } = parts;
  return methodsOf(CHANGE_METHODS, {
    async "changes.get"(params) {
      const at = await findCycle(params, parts);
      if ("refused" in at) return at.refused.code === "CHANGES_NOT_FOUND" ? { changes: null } : at;
      return readable(async () => {
        const recorded = await snapshots.ask("read", { place: at.place });
        return { changes: await describeChanges(at, recorded, parts) };
      });
    },
    "changes.diff": (params) => onCycle(params, parts, (at) => diffOf(params, at, parts)),
    "changes.preview": (params) =>
      onCycle(params, parts, async ({ place }) => ({
        preview: await snapshots.ask("preview", { place, step: params.step ?? undefined }),
      })),
    "changes.rollback": ({ step = null, digest, conflicts, ...params }, call) =>
      onCycle(params, parts, (at) => rollBack(at, { step, digest, conflicts }, { by: byCaller(at, call), parts })),
    async "changes.resume"({ sessionId }, { apply }) {
      const outcome = await apply(sessionId, { slice: CHANGES_SLICE, command: { type: "resume" } });
      return outcome.ok ? { resumed: true as const } : { refused: outcome.refusal };
    },
  });
}

type Asked = Parameters<typeof findCycle>[0];

async function onCycle<Answer>(
  asked: Asked,
  parts: ChangeMethodParts,
  work: (at: CycleAt) => Promise<Answer | Refused>,
): Promise<Answer | Refused> {
  const at = await findCycle(asked, parts);
  return "refused" in at ? at : readable(() => work(at));
}

/** What cannot be read is said, with the reason. */
export async function readable<Answer>(work: () => Promise<Answer | Refused>): Promise<Answer | Refused> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SnapshotFailed)) throw error;
    return refuse("CHANGES_UNREADABLE", `The record of its changes cannot be read: ${error.message}.`);
  }
}

async function diffOf(
  { step, of, path }: ChangeParamsOf<"changes.diff">,
  { place }: CycleAt,
  parts: ChangeMethodParts,
) {
  const diff = await parts.snapshots.ask("diff", { place, query: { step, of, path } });
  return diff === undefined
    ? refuse("CHANGES_NOT_FOUND", "It did not change this file.")
    : { diff: diffWithoutSecrets(diff, parts.redact) };
}
