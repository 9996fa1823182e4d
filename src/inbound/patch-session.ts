/** The one way to change a session: its own fields, and those that plugins registered. Decisions come in here. */
import type { Engine, Outcome } from "../engine/engine.ts";
import type { PluginHost } from "../plugins/host.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { ParsedParamsOf, ResultOf, SessionView } from "../protocol/methods.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Store } from "../store/store.ts";
import { dispatchBy } from "./idempotency.ts";
import { lackingScopes } from "./lacking-scopes.ts";
import type { Sender } from "./sender.ts";

export type PatchParts = {
  engine: Pick<Engine, "dispatch" | "session">;
  store: Pick<Store, "artifact">;
  host: Pick<PluginHost, "patchFields">;
};

/** A field that a plugin registered, and what it is set to; nobody has checked the value yet. */
export type SetField = { sessionId: SessionId; field: string; value: unknown };

export type SessionPatching = {
  patch(params: ParsedParamsOf<"sessions.patch">, by: Sender): Promise<Outcome>;
  setField(set: SetField, by: Sender): Promise<Outcome>;
};

export function createSessionPatching(parts: PatchParts): SessionPatching {
  async function apply(sessionId: SessionId, command: SessionCommand | Refused, by: Sender): Promise<Outcome> {
    if ("refused" in command) return { ok: false, refusal: command.refused };
    return parts.engine.dispatch(sessionId, command, by);
  }
  return {
    patch: async (params, by) => apply(params.sessionId, await patchCommand(params, by.actor.scopes, parts), by),
    setField: async (set, by) => apply(set.sessionId, await fieldCommand(set, by.actor.scopes, parts), by),
  };
}

/** `sessions.patch` itself, beside what it calls: a decision passes no file more than it needs. */
export function patchMethod({ patch }: Pick<SessionPatching, "patch">, view: (session: Session) => SessionView) {
  return async (
    params: ParsedParamsOf<"sessions.patch">,
    { actor }: Pick<Sender, "actor">,
  ): Promise<ResultOf<"sessions.patch"> | Refused> => {
    const outcome = await patch(params, dispatchBy(actor, "sessions.patch", params));
    if (!outcome.ok) return { refused: outcome.refusal };
    return { reply: outcome.reply, session: outcome.session === undefined ? null : view(outcome.session) };
  };
}

type Scopes = Sender["actor"]["scopes"];

/** Title and archive are the session's own; every other field belongs to the plugin that registered it. */
async function patchCommand(
  params: ParsedParamsOf<"sessions.patch">,
  scopes: Scopes,
  parts: PatchParts,
): Promise<SessionCommand | Refused> {
  if ("title" in params || "archived" in params) {
    const lacking = lackingScopes("sessions.patch", ["operator.write"], scopes);
    if (lacking !== undefined) return lacking;
    return "title" in params
      ? { type: "session.rename", title: params.title }
      : { type: "session.archive", archived: params.archived };
  }
  const [field, value] = fieldOf(params);
  return fieldCommand({ sessionId: params.sessionId, field, value }, scopes, parts);
}

async function fieldCommand(
  { sessionId, field: name, value }: SetField,
  scopes: Scopes,
  { host, engine, store }: PatchParts,
): Promise<SessionCommand | Refused> {
  const field = host.patchFields.get(name);
  if (field === undefined) return refuse("UNKNOWN_SLICE", `No enabled plugin takes ${name}.`);
  const lacking = lackingScopes(name, field.requiredScopes, scopes);
  if (lacking !== undefined) return lacking;
  const parsed = field.schema.safeParse(value);
  if (!parsed.success) return refuse("INVALID_REQUEST", `sessions.patch: ${name}: ${parsed.error.issues[0]?.message}`);
  const command = field.toCommand(parsed.data);
  const session = field.withDocuments === undefined ? undefined : await engine.session(sessionId);
  if (session === undefined || field.withDocuments === undefined) {
    return { type: "slice.apply", slice: field.slice, command };
  }
  const artifact = async (kind: string, id: string) => {
    const found = await store.artifact(kind, id);
    return found?.sessionId === session.id ? found.body : undefined;
  };
  return {
    type: "slice.apply",
    slice: field.slice,
    command: await field.withDocuments(command, { session, artifact }),
  };
}

type SliceFields = Extract<
  ParsedParamsOf<"sessions.patch">,
  { planApproval: unknown } | { planMode: unknown } | { planNote: unknown } | { permissionMode: unknown }
>;

function fieldOf(params: SliceFields): [name: string, value: unknown] {
  if ("planApproval" in params) return ["planApproval", params.planApproval];
  if ("planNote" in params) return ["planNote", params.planNote];
  return "planMode" in params ? ["planMode", params.planMode] : ["permissionMode", params.permissionMode];
}
