/**
 * Decisions about what waits for a person: one road for cards, inbox and review. The gateway decides whether they hold.
 *
 *   (none) ──decide──▶ deciding ──done, or too late──▶ (none): the session's own state tells how it stands
 *                          └──refused──▶ refused, until the next try
 */
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import { findAction, patchOf } from "../../src/protocol/card/availability.ts";
import type { Card } from "../../src/protocol/card/card.ts";
import { offeringWhole } from "../../src/protocol/card/offered-in.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { Json, JsonObject } from "../../src/protocol/json.ts";
import type { SessionView } from "../../src/protocol/methods.ts";
import type { ParamsOf } from "../../src/all-methods.ts";
import type { Calling } from "./calling.ts";
import { cell, type Readable } from "./cell.ts";
import { type Sign, signHere, withPasskey } from "./with-passkey.ts";

/** An action of a card: which card it answers, and the field of `sessions.patch` that carries it out. */
export type Decision = { of: string; action: string; patch: JsonObject };

/** Undefined where the card has no such action any more. */
export function decisionOn(card: Card, actionId: string, given?: Json): Decision | undefined {
  const action = findAction(card, actionId);
  return action === undefined ? undefined : { of: card.id, action: actionId, patch: patchOf(action, given) };
}

/** Beside the whole text of what is decided on: the gateway records that it was offered. */
export const besideText = (decision: Decision): Decision => ({ ...decision, patch: offeringWhole(decision.patch) });

export type Attempt =
  /** `asksPasskey`: the person has to give their passkey now. */
  | { status: "deciding"; asksPasskey?: true }
  /** It still waits: something else is missing, and `message` says what. */
  | ({ status: "refused"; code: string; message: string } & Pick<HoldpointError, "details" | "said">);

/**
 * `late`: what was decided on is not what lies before people any more.
 * `busy`: one for this id is on its way already, and this one was not sent.
 */
export type Decided = "done" | "late" | "refused" | "busy";

export type Decider = Readable<ReadonlyMap<string, Attempt>> & {
  /** By the id of what waits. */
  of(id: string): Attempt | undefined;
  decide(sessionId: SessionId, decision: Decision): Promise<Decided>;
  /** What was decided from this page, for whoever has to say who did it. */
  doneHere(id: string): string | undefined;
};

const ATTEMPTS_KEPT_MAX = 50;

const LATE: ReadonlySet<string> = new Set([
  "APPROVAL_NOT_PENDING",
  "APPROVAL_STALE",
  "APPROVAL_SUPERSEDED",
  "APPROVAL_UNKNOWN",
  "APPROVAL_ALREADY_DECIDED",
  "APPROVAL_EXPIRED",
  "APPROVAL_DIGEST_MISMATCH",
  "APPROVAL_REJECTED",
  "QUESTION_NOT_PENDING",
  "QUESTION_STALE",
  "PLAN_NOT_ACTIVE",
]);

type DeciderParts = Calling & { answered?(session: SessionView): void };

/** `answered` gets the session as the decision left it. */
export function createDecider({ call, answered }: DeciderParts, sign: Sign = signHere): Decider {
  const attempts = cell<ReadonlyMap<string, Attempt>>(new Map());
  const done = new Map<string, string>();

  function remember(id: string, action: string): void {
    done.set(id, action);
    for (const old of [...done.keys()].slice(0, Math.max(0, done.size - ATTEMPTS_KEPT_MAX))) done.delete(old);
  }

  function note(id: string, attempt: Attempt | undefined): void {
    attempts.change((before) => {
      const rest = [...before].filter(([known]) => known !== id);
      return new Map(attempt === undefined ? rest : [...rest, [id, attempt] as const].slice(-ATTEMPTS_KEPT_MAX));
    });
  }

  return {
    get: attempts.get,
    subscribe: attempts.subscribe,
    of: (id) => attempts.get().get(id),
    doneHere: (id) => done.get(id),
    async decide(sessionId, decision) {
      const { of: id, patch } = decision;
      if (attempts.get().get(id)?.status === "deciding") return "busy"; // a second click, wherever it was
      note(id, { status: "deciding" });
      try {
        const { session } = await withPasskey(
          (presence) => {
            const signed = presence === undefined ? {} : { presence };
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway made the field and its value, and parses them again
            const params = { sessionId, ...signed, ...patch } as unknown as ParamsOf<"sessions.patch">;
            return call("sessions.patch", params);
          },
          { sign, asking: () => note(id, { status: "deciding", asksPasskey: true }) },
        );
        if (session !== null) answered?.(session);
        remember(id, decision.action);
        note(id, undefined);
        return "done";
      } catch (error) {
        if (!(error instanceof HoldpointError)) {
          note(id, undefined);
          throw error;
        }
        const { code, message, details, said } = error;
        note(id, { status: "refused", code, message, details, said });
        return LATE.has(code) ? "late" : "refused";
      }
    },
  };
}
