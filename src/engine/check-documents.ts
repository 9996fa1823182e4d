/** Before a decision commits: the stored documents that its command rests on are still what its slice says they are (SC-04). */
import type { SliceRegistry } from "../core/slice.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { SessionCommand } from "../protocol/session.ts";
import type { Store, StoredSession } from "../store/store.ts";

export async function refuseAltered(
  stored: StoredSession | undefined,
  command: SessionCommand,
  { store, slices }: { store: Pick<Store, "artifact">; slices: SliceRegistry },
): Promise<Refusal | undefined> {
  if (stored === undefined || command.type !== "slice.apply") return undefined;
  const slice = slices.get(command.slice);
  const state = stored.session.slices[command.slice] ?? slice?.initial ?? null;
  for (const { kind, id, isIntact } of slice?.describe?.restsOn?.(state, command.command) ?? []) {
    const found = await store.artifact(kind, id);
    if (found === undefined || found.sessionId !== stored.session.id || !isIntact(found.body, found.digest))
      return altered(`${kind} ${id}`);
  }
  return undefined;
}

const altered = (what: string): Refusal => ({
  code: "STORE_DAMAGED",
  message: `Nothing was decided: ${what} is no longer stored as it was submitted. Reject it, and look at the store with: holdpoint doctor.`,
});
