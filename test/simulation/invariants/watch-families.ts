/** I16: what a sub-agent changes, every session above it allowed at a moment after the claim. */
import type { Session } from "../../../src/protocol/session.ts";
import type { Memory } from "../../../src/store/memory/memory-store.ts";
import { planOf, type Violated, type Watch } from "./seen-commit.ts";

export type FamilyWatch = Watch & { starts(callId: string): void; readonly started: number };

type Claimed = { above: readonly string[]; wasOpen: boolean };

export function watchFamilies(violated: Violated): FamilyWatch {
  const calls = new Map<string, Claimed>();
  let started = 0;
  return {
    get started() {
      return started;
    },
    committed({ commit, before, memory }) {
      for (const call of calls.values())
        if (!call.wasOpen && call.above.includes(commit.sessionId)) call.wasOpen = areOpen(call.above, memory);
      if (before?.parentId === undefined || before.kind !== "subagent") return;
      const above = ancestors(before, memory);
      for (const event of commit.events)
        if (event.type === "call.claimed") calls.set(event.callId, { above, wasOpen: areOpen(above, memory) });
    },
    starts(callId) {
      const call = calls.get(callId);
      if (call === undefined) return;
      started += 1;
      if (!call.wasOpen) violated("I16", `${callId} starts although a session above allowed it at no moment`);
    },
  };
}

function ancestors({ parentId }: Session, { sessions }: Memory): string[] {
  const above: string[] = [];
  for (let id = parentId; id !== undefined; id = sessions.get(id)?.session.parentId) above.push(id);
  return above;
}

const areOpen = (above: readonly string[], { sessions }: Memory): boolean =>
  above.every((id) => {
    const plan = planOf(sessions.get(id)?.session);
    return plan !== undefined && plan.now.mode !== "plan" && plan.held === undefined;
  });
