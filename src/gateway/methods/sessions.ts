/** RPC methods that create, list, read, change and delete sessions: `sessions.*`. */
import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { Engine, Outcome } from "../../engine/engine.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import { NO_SESSION } from "../../inbound/no-session.ts";
import { patchMethod } from "../../inbound/patch-session.ts";
import type { SessionSummary, SessionView } from "../../protocol/methods.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { type Session, SessionKind } from "../../protocol/session.ts";
import type { SessionRow, Store } from "../../store/store.ts";
import { listed } from "./listed.ts";
import { readTurnLog } from "../logs/turn-log.ts";
import { effectiveMode, type Modes } from "./effective-mode.ts";
import { NORMAL_MODE, type ViewOf } from "./session-view.ts";
import { timelineOf } from "./records/timeline.ts";
import { timersOf } from "./records/timers.ts";

export type SessionParts = {
  engine: Engine;
  store: Store;
  inbound: Pick<Inbound, "open" | "patch">;
  view: ViewOf;
};

type SessionMethods = Omit<
  Pick<MethodTable, Extract<keyof MethodTable, `sessions.${string}`>>,
  "sessions.action" | "sessions.defaults"
>;

export function sessionMethods(parts: SessionParts): SessionMethods {
  const { engine, store, inbound, view } = parts;
  const present = async (session: Session): Promise<SessionView> => {
    const own = view(session);
    return session.parentId === undefined ? own : { ...own, mode: await effectiveMode(session, engine) };
  };
  const shown = async (outcome: Outcome) => {
    if (!outcome.ok) return { refused: outcome.refusal };
    return outcome.session === undefined ? NO_SESSION : { session: await present(outcome.session) };
  };
  return {
    async "sessions.create"(params, { actor }) {
      if (params.workspace !== undefined && !isAbsolute(params.workspace)) return RELATIVE_WORKSPACE;
      const { agentId, title, role } = params;
      const workspace = params.workspace === undefined ? undefined : await realFolder(params.workspace);
      // the account of a surface that people log in to is the operator, so that bindings can name one
      const wanted = { agentId, title, workspace, role, instance: actor.name };
      return shown(await inbound.open(wanted, dispatchBy(actor, "sessions.create", params)));
    },
    async "sessions.list"({ cursor, limit, archived, waiting, search }) {
      const filter = { archived, ...(waiting === undefined ? {} : { waiting }), ...(search ? { search } : {}) };
      return listed(async () => {
        const { items, nextCursor } = await store.sessions(filter, { cursor, limit });
        const sessions = await Promise.all(items.map((row, at) => toSummary(row, engine, at < FAILURES_LOOKED_AT_MAX)));
        return { sessions, nextCursor };
      });
    },
    async "sessions.get"({ sessionId }) {
      const session = await engine.session(sessionId);
      return session === undefined ? NO_SESSION : { session: await present(session) };
    },
    "sessions.patch": patchMethod(inbound, present),
    async "sessions.reset"(params, { actor }) {
      const by = dispatchBy(actor, "sessions.reset", params);
      return shown(await engine.dispatch(params.sessionId, { type: "session.reset" }, by));
    },
    async "sessions.delete"(params, { actor }) {
      const by = dispatchBy(actor, "sessions.delete", params);
      const outcome = await engine.dispatch(params.sessionId, { type: "session.delete" }, by);
      return outcome.ok ? {} : { refused: outcome.refusal };
    },
    async "sessions.timeline"(params) {
      if ((await engine.session(params.sessionId)) === undefined) return NO_SESSION;
      return timelineOf({ store, view }, params);
    },
    "sessions.timers": async (asked) => ({ timers: await timersOf(parts, asked) }),
    async "sessions.turn"({ sessionId, turn }) {
      const session = await engine.session(sessionId);
      if (session === undefined) return NO_SESSION;
      const n = turn ?? session.turnCount;
      return (await readTurnLog(store, session, n)) ?? noTurn(n, session.turnCount);
    },
    async "sessions.subscribe"({ sessionId, afterCursor }, { subscriptions }) {
      if ((await engine.session(sessionId)) === undefined) return NO_SESSION;
      return subscriptions.add(sessionId, afterCursor);
    },
    async "sessions.unsubscribe"({ sessionId }, { subscriptions }) {
      subscriptions.remove(sessionId);
      return {};
    },
    async "sessions.watch"(_params, { subscriptions }) {
      subscriptions.watch();
      return {};
    },
  };
}

/** A session works in the folder that its name led to when it was made, wherever a link in it leads later. */
const realFolder = (path: string): Promise<string> => realpath(path).catch(() => path);

const RELATIVE_WORKSPACE = refuse(
  "INVALID_REQUEST",
  "sessions.create: workspace: give the whole path; this gateway may run in another folder than you.",
  { path: "workspace" },
);

const noTurn = (turn: number, turnCount: number): Refused =>
  refuse("INVALID_REQUEST", `sessions.turn: turn ${turn} cannot be found; this session has had ${turnCount}.`, {
    path: "turn",
  });

/** Rows carry a session's own mode; only for a child it takes a look at those above it. */
async function toSummary(
  { mode, ...row }: SessionRow,
  engine: Modes,
  looksAtFailure: boolean,
): Promise<SessionSummary> {
  const kind = SessionKind.parse(row.kind);
  const isChild = kind === "subagent" && mode === null;
  const session = isChild || looksAtFailure ? await engine.session(row.id) : undefined;
  const shown = isChild && session !== undefined ? await effectiveMode(session, engine) : (mode ?? NORMAL_MODE);
  return { ...row, kind, mode: shown, ...(session?.failed === undefined ? {} : { failed: session.failed }) };
}

/** Whether an agent failed stands in the session itself, which is read for as many as a list shows at once. */
const FAILURES_LOOKED_AT_MAX = 50;
