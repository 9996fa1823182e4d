/** Files that are attached and not sent, by session. Kept in this tab, over a reload too where its memory takes them. */
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { Attached } from "./prepare.ts";

const keyOf = (sessionId: SessionId): string => `holdpoint.attached.${sessionId}`;
const kept = new Map<SessionId, readonly Attached[]>();

export const attachedDrafts = {
  read(sessionId: SessionId): readonly Attached[] {
    const known = kept.get(sessionId);
    if (known !== undefined) return known;
    const stored = storedAt(keyOf(sessionId));
    kept.set(sessionId, stored);
    return stored;
  },
  write(sessionId: SessionId, files: readonly Attached[]): void {
    kept.set(sessionId, files);
    try {
      if (files.length === 0) sessionStorage.removeItem(keyOf(sessionId));
      else sessionStorage.setItem(keyOf(sessionId), JSON.stringify(files));
    } catch {
      // the tab's memory is full: they are lost with a reload, and only then
    }
  },
};

function storedAt(key: string): readonly Attached[] {
  const text = sessionStorage.getItem(key);
  if (text === null) return [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above, by this very tab
  return JSON.parse(text) as Attached[];
}
