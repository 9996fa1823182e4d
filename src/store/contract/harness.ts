/** What an adapter lends to the contract suite: its state, opened as often as the test likes. */
import type { AuditFact } from "../../protocol/audit.ts";
import { MessageId, OperatorId, SessionId, TurnId } from "../../protocol/ids.ts";
import type { Session, SessionEvent, Timer } from "../../protocol/session.ts";
import type { Commit, CommitResult, Idempotency, Store } from "../store.ts";

/** Done behind the store's back, as someone with access to the files or the server could. */
export type Tampering =
  | { kind: "alter-body"; seq: number; body: string }
  | { kind: "alter-actor"; seq: number; actor: string }
  | { kind: "remove"; seq: number }
  | { kind: "swap"; seqs: [number, number] }
  | { kind: "alter-document"; id: string; body: string }
  | { kind: "remove-document"; id: string };

export type StoreHarness = {
  /** Opens the state of this test; it must be closed before it is opened again. */
  open(): Promise<Store>;
  tamper(how: Tampering): Promise<void>;
  dispose(): Promise<void>;
};

export const HOUR_MS = 3_600_000;
export const START_MS = 1_790_000_000_000;

export const sid = (name: string | number): SessionId => SessionId.parse(`ses_${name}`);
export const turn = (name: string | number): TurnId => TurnId.parse(`trn_${name}`);
export const operator = (name: string): OperatorId => OperatorId.parse(`opr_${name}`);
export const message = (name: string | number): MessageId => MessageId.parse(`msg_${name}`);

export function aSession(id: SessionId, change: Partial<Session> = {}): Session {
  return {
    id,
    agentId: "main",
    kind: "chat",
    surface: "terminal",
    workspace: "/tmp/work",
    title: "",
    archived: false,
    createdAtMs: START_MS,
    updatedAtMs: START_MS,
    epoch: 0,
    entryCount: 0,
    historyFrom: 0,
    turnCount: 0,
    turn: { status: "idle" },
    inbox: [],
    injections: [],
    timers: [],
    slices: {},
    ...change,
  };
}

export const created = (session: Session): SessionEvent => ({ type: "session.created", session });
export const renamed = (title: string): SessionEvent => ({ type: "session.renamed", title });
export const entry = (n: number): SessionEvent => ({
  type: "entry.appended",
  n,
  entry: { kind: "notice", text: `line ${n}` },
});
export const timer = (key: string, atMs: number): Timer => ({ key, atMs, slice: "planMode", command: { do: key } });
export const fact = (type: string, detail: AuditFact["detail"] = {}): AuditFact => ({ type, detail });

/** A commit with defaults, so that a test names only what it is about. */
export function aCommit(id: SessionId, change: Partial<Commit> = {}): Commit {
  return {
    sessionId: id,
    expectedVersion: 0,
    session: aSession(id),
    recordOnly: false,
    atMs: START_MS,
    actor: "opr_alice",
    events: [renamed("changed")],
    outbox: [],
    artifacts: [],
    audit: [],
    waiting: null,
    vital: false,
    ...change,
  };
}

export function create(id: SessionId, change: Partial<Session> = {}): Commit {
  const session = aSession(id, change);
  return aCommit(id, { session, events: [created(session)], atMs: session.createdAtMs });
}

export const underKey = (key: string, change: Partial<Idempotency> = {}): Idempotency => ({
  principal: "opr_alice",
  key,
  requestDigest: "digest-1",
  result: { ok: true, reply: `first answer to ${key}` },
  ...change,
});

/** Commits that must go through; a test that needs another answer asks the store itself. */
export async function commitAll(store: Store, commits: Commit[]): Promise<void> {
  for (const commit of commits) committed(await store.commit(commit));
}

export function committed(result: CommitResult): Extract<CommitResult, { status: "committed" }> {
  if (result.status !== "committed") throw new Error(`not committed: ${JSON.stringify(result)}`);
  return result;
}

/** Everything that a store can be asked, so that "nothing changed" is one comparison. */
export async function everything(store: Store, ids: SessionId[]): Promise<unknown> {
  const all = { cursor: null, limit: 500 };
  return {
    sessions: await Promise.all(ids.map((id) => store.session(id))),
    list: await store.sessions({}, all),
    events: await store.events({ cursor: 0, limit: 500 }),
    artifacts: await store.artifacts({ kind: "plan", ...all }),
    effects: await store.pendingEffects({ id: 0, limit: 500 }),
    timers: await store.dueTimers({ atMs: Number.MAX_SAFE_INTEGER, limit: 500 }),
    tokens: await store.tokens(),
    audit: await store.auditRows({ afterSeq: 0, limit: 500 }),
  };
}
