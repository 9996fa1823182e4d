/**
 * Read-only links to plans. A link's secret is 256 random bits, shown once; the store keeps its hash, so whoever reads
 * the store cannot open a link.
 */
import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { PLAN_SHARE, PLAN_UNSHARE } from "../../plan-mode/machine/share/share.ts";
import { By } from "../../protocol/actor.ts";
import { PlanId, type SessionId, ShareId } from "../../protocol/ids.ts";
import type { ResultOf } from "../../protocol/methods.ts";
import type { Store, StoredArtifact } from "../../store/store.ts";

const SECRET_BYTES = 32;
export const SHARE_PATH = "/share/";
const SHARES_SHOWN_MAX = 200;

const StoredShare = z.strictObject({ shareId: ShareId, planId: PlanId, expiresAtMs: z.int(), by: By, atMs: z.int() });
type StoredShare = z.infer<typeof StoredShare>;

type ShareView = ResultOf<"plans.shares">["shares"][number];

export function newLink(): { secret: string; tokenHash: string; shareId: ShareId } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const shareId = ShareId.parse(`shr_${randomBytes(16).toString("base64url")}`);
  return { secret, tokenHash: hashOf(secret), shareId };
}

const hashOf = (secret: string): string => hash("sha256", secret);
const toShare = ({ body }: StoredArtifact): StoredShare => StoredShare.parse(body);

/** The plan that a secret opens now; undefined for a wrong, an expired and an ended one alike. */
export async function sharedPlan(
  secret: string,
  { store, nowMs }: { store: Store; nowMs: number },
): Promise<PlanId | undefined> {
  const found = await store.artifact(PLAN_SHARE, hashOf(secret));
  if (found === undefined) return undefined;
  const { planId, expiresAtMs, shareId } = toShare(found);
  if (nowMs >= expiresAtMs || (await isEnded(store, shareId))) return undefined;
  return (await store.session(found.sessionId)) === undefined ? undefined : planId; // a deleted session shares nothing
}

const isEnded = async (store: Store, shareId: ShareId): Promise<boolean> =>
  (await store.artifact(PLAN_UNSHARE, shareId)) !== undefined;

export async function sharesOf(store: Store, sessionId: SessionId): Promise<ShareView[]> {
  const { items } = await store.artifacts({ kind: PLAN_SHARE, sessionId, cursor: null, limit: SHARES_SHOWN_MAX });
  return Promise.all(
    items.map(async (item) => {
      const { shareId, planId, by, atMs, expiresAtMs } = toShare(item);
      return { shareId, planId, by, createdAtMs: atMs, expiresAtMs, revoked: await isEnded(store, shareId) };
    }),
  );
}

/** Which session a link belongs to; links are few, so they are looked through. */
export async function sessionOfShare(store: Store, shareId: ShareId): Promise<SessionId | undefined> {
  let cursor: string | null = null;
  do {
    const page = await store.artifacts({ kind: PLAN_SHARE, cursor, limit: SHARES_SHOWN_MAX });
    const found = page.items.find((item) => toShare(item).shareId === shareId);
    if (found !== undefined) return found.sessionId;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return undefined;
}
