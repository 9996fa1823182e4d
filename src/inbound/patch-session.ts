/** The one way to change a session: its own fields, and those that plugins registered. Decisions on plans pass here too. */
import type { Outcome } from "../engine/engine.ts";
import type { SessionId } from "../protocol/ids.ts";
import { type Json, JsonObject } from "../protocol/json.ts";
import type { ResultOf, SessionView } from "../protocol/methods.ts";
import type { Refused } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";
import type { Clock } from "../engine/clock.ts";
import type { Store } from "../store/store.ts";
import { answerUnderKey } from "./answer-once.ts";
import { dispatchBy } from "./idempotency.ts";
import { noPresence, type PresencePort } from "./presence-port.ts";
import type { Sender } from "./sender.ts";
import { createPatches, type Given, type Patch, type PatchParts } from "./parse-patch.ts";

/** A field that a plugin registered, and its new value, which nobody has checked yet. */
export type SetField = { sessionId: SessionId; field: string; value: unknown };

export type SessionPatching = {
  /** The request's own key makes its repetition the same request, in whichever of the two forms it comes. */
  patch(given: Given, by: Pick<Sender, "actor">): Promise<Outcome>;
  setField(set: SetField, by: Sender): Promise<Outcome>;
};

export type PatchingParts = PatchParts & {
  store: Pick<Store, "artifact" | "commit">;
  clock: Clock;
  /** Absent: no passkeys are kept here. */
  presence?: PresencePort;
};

export function createSessionPatching(parts: PatchingParts): SessionPatching {
  const patches = createPatches(parts);
  const { presence: port = noPresence } = parts;

  /** With the proof of the person's passkey; or what a repetition of an answered request is answered. */
  async function present({ params }: Patch, by: Sender): Promise<Sender | Outcome> {
    const { presence: response, sessionId } = params;
    if (response === undefined) return by;
    const earlier = await answerUnderKey(sessionId, by, parts);
    if (earlier !== undefined) return { ...earlier, session: await parts.engine.session(sessionId) };
    const proof = await port.verify(response, by.actor);
    if ("refused" in proof) return { ok: false, refusal: proof.refused };
    return { ...by, actor: { ...by.actor, presence: proof } };
  }

  async function apply(patch: Patch, by: Sender): Promise<Outcome> {
    const command = await patches.command(patch, by.actor.scopes);
    if ("refused" in command) return { ok: false, refusal: command.refused };
    return parts.engine.dispatch(patch.params.sessionId, command, by);
  }
  return {
    async patch(given, { actor }) {
      const patch = patches.parse(given);
      if ("refused" in patch) return { ok: false, refusal: patch.refused };
      const by = await present(patch, dispatchBy(actor, "sessions.patch", patch.params));
      return "ok" in by ? by : apply(patch, by);
    },
    async setField({ sessionId, field, value }, by) {
      const patch = patches.parse({ sessionId, field, value });
      return "refused" in patch ? { ok: false, refusal: patch.refused } : apply(patch, by);
    },
  };
}

/** The method `sessions.patch`, kept beside what it calls so that a decision passes through few files. */
export function patchMethod(
  { patch }: Pick<SessionPatching, "patch">,
  view: (session: Session) => Promise<SessionView>,
) {
  return async (given: Given, by: Pick<Sender, "actor">): Promise<ResultOf<"sessions.patch"> | Refused> => {
    const outcome = await patch(given, by);
    if (!outcome.ok) return { refused: outcome.refusal };
    const { reply, session } = outcome;
    if (session === undefined) return { reply, session: null };
    const shown = given.withoutSession === true && session.parentId === undefined ? null : await view(session);
    return { reply: effectiveReply(reply, session, shown), session: given.withoutSession === true ? null : shown };
  };
}

/** A child is in the mode of those above it, which its own machine does not know. */
function effectiveReply(reply: Json, { parentId }: Session, shown: SessionView | null): Json {
  const mode = shown?.mode;
  if (parentId === undefined || mode === undefined) return reply;
  const fields = JsonObject.safeParse(reply);
  return fields.success && "mode" in fields.data ? { ...fields.data, mode } : reply;
}
