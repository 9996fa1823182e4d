/** Before a decision commits: the stored documents that its command rests on are still what its slice says they are (SC-04). */
import type { RestsOn, SliceRegistry } from "../core/slice.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { SessionCommand } from "../protocol/session.ts";
import type { Store, StoredSession } from "../store/store.ts";

type Parts = { store: Pick<Store, "artifact">; slices: SliceRegistry };

export async function refuseAltered(
  stored: StoredSession | undefined,
  command: SessionCommand,
  { store, slices }: Parts,
): Promise<Refusal | undefined> {
  if (stored === undefined || command.type !== "slice.apply") return undefined;
  const { session } = stored;
  for (const document of documentsOf(stored, command, slices))
    if (!(await isStored(document, session.id, store))) return altered(document);
  return undefined;
}

function documentsOf(
  { session }: StoredSession,
  { slice: name, command }: Extract<SessionCommand, { type: "slice.apply" }>,
  slices: SliceRegistry,
): RestsOn[] {
  const slice = slices.get(name);
  return slice?.describe?.restsOn?.(session.slices[name] ?? slice.initial, command) ?? [];
}

async function isStored(
  { kind, id, isIntact }: RestsOn,
  sessionId: SessionId,
  store: Parts["store"],
): Promise<boolean> {
  const found = await store.artifact(kind, id);
  return found !== undefined && found.sessionId === sessionId && isIntact(found.body, found.digest);
}

const altered = ({ kind, id }: RestsOn): Refusal => ({
  code: "STORE_DAMAGED",
  message: `Nothing was decided: ${kind} ${id} is no longer stored as it was submitted. Reject it, and look at the store with: holdpoint doctor.`,
});
