/**
 * Read-only links to plans. A link's secret is 256 random bits, shown once; the store keeps its hash, so whoever reads
 * the store cannot open a link.
 */
import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { PLAN_SHARE, PLAN_UNSHARE } from "../machine/share/share.ts";
import { By } from "../../protocol/actor.ts";
import { OperatorId, PlanId, type SessionId, ShareId } from "../../protocol/ids.ts";
import { pageOf } from "./plan-records.ts";
import type { PlanResultOf } from "../protocol/plan-methods.ts";
import type { DocumentPage, Documents, ReadSession, StoredDocument, Vouches } from "../../plugins/sdk.ts";

const SECRET_BYTES = 32;
export const SHARE_PATH = "/share/";
const SHARES_SHOWN_MAX = 200;

const StoredShare = z.strictObject({
  shareId: ShareId,
  planId: PlanId,
  expiresAtMs: z.int(),
  by: By,
  device: OperatorId.optional(),
  atMs: z.int(),
});
type StoredShare = z.infer<typeof StoredShare>;

type ShareView = PlanResultOf<"plans.shares">["shares"][number];

export function newLink(): { secret: string; tokenHash: string; shareId: ShareId } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const shareId = ShareId.parse(`shr_${randomBytes(16).toString("base64url")}`);
  return { secret, tokenHash: hashOf(secret), shareId };
}

const hashOf = (secret: string): string => hash("sha256", secret);
const toShare = ({ body }: StoredDocument): StoredShare => StoredShare.parse(body);

/** The plan that a secret opens now; undefined for a wrong, an expired and an ended one alike. */
export async function sharedPlan(
  secret: string,
  { documents, readSession, vouches, nowMs }: Links & { readSession: ReadSession; nowMs: number },
): Promise<PlanId | undefined> {
  const found = await documents.get(PLAN_SHARE, hashOf(secret));
  if (found === undefined) return undefined;
  const share = toShare(found);
  if (nowMs >= share.expiresAtMs || (await isEnded({ documents, vouches }, share))) return undefined;
  const { planId } = share;
  return (await readSession(found.sessionId)) === undefined ? undefined : planId; // a deleted session shares nothing
}

type Links = { documents: Documents; vouches: Vouches };

/** By hand, or because whoever made it was revoked. */
async function isEnded({ documents, vouches }: Links, { shareId, by, device }: StoredShare): Promise<boolean> {
  if ((await documents.get(PLAN_UNSHARE, shareId)) !== undefined) return true;
  return by.kind === "operator" && !(await vouches(device ?? by.id));
}

export async function sharesOf({ documents, vouches }: Links, sessionId: SessionId): Promise<ShareView[]> {
  const page = pageOf(await documents.list({ kind: PLAN_SHARE, sessionId, cursor: null, limit: SHARES_SHOWN_MAX }));
  return Promise.all(
    page.items.map(async (item) => {
      const share = toShare(item);
      const { shareId, planId, by, atMs, expiresAtMs } = share;
      const revoked = await isEnded({ documents, vouches }, share);
      return { shareId, planId, by, createdAtMs: atMs, expiresAtMs, revoked };
    }),
  );
}

/** Which session a link belongs to; links are few, so they are looked through. */
export async function sessionOfShare(documents: Documents, shareId: ShareId): Promise<SessionId | undefined> {
  let cursor: string | null = null;
  do {
    const page: DocumentPage = pageOf(await documents.list({ kind: PLAN_SHARE, cursor, limit: SHARES_SHOWN_MAX }));
    const found = page.items.find((item) => toShare(item).shareId === shareId);
    if (found !== undefined) return found.sessionId;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return undefined;
}
