/**
 * A passkey for a request that is no command of a session: a link for another passkey, a setting that loosens the gate.
 * Without a signature it is refused with the challenge; with one, the proof covers exactly this subject.
 */
import type { OperatorActor } from "../../http/method-table.ts";
import type { PresencePort } from "../../inbound/presence-port.ts";
import { Json } from "../../protocol/json.ts";
import { localized } from "../../protocol/localized/localized-text.ts";
import type { PresenceProof, PresenceResponse, PresenceSubject } from "../../protocol/presence.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";

/** `subject`: what is decided; its digest stands for whatever the decision consists of. */
export type Proving = { subject: Omit<PresenceSubject, "sessionId">; response: PresenceResponse | undefined };

export async function provePresence(
  { subject: asked, response }: Proving,
  actor: OperatorActor,
  port: PresencePort,
): Promise<PresenceProof | Refused> {
  const subject: PresenceSubject = { sessionId: null, ...asked };
  if (response === undefined) {
    const { refused } = refuse("PRESENCE_REQUIRED", localized("presenceNeeded"), { presence: Json.parse(subject) });
    return { refused: await port.ask(refused, { actor }) };
  }
  const proof = await port.verify(response, actor);
  if ("refused" in proof) return proof;
  const { sessionId, approvalId, digest, decision } = proof.statement;
  const isCovered =
    sessionId === null &&
    approvalId === subject.approvalId &&
    digest === subject.digest &&
    decision === subject.decision;
  return isCovered ? proof : refuse("PRESENCE_INVALID", localized("presenceOther"));
}
