/**
 * A person's passkey for one decision.
 *
 *   decision without it ──refused──▶ challenge, kept in the store ──signed──▶ taken ──verified──▶ proof on the actor
 *                                        └──CHALLENGE_MS_MAX passed, or taken before──▶ refused
 *
 * The challenge is the digest of what is decided, by whom, with a nonce of ours. Whether the proof covers the decision
 * that it came with is asked where the decision is made.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import type { PresencePort } from "../../inbound/presence-port.ts";
import type { OperatorActor } from "../../plugins/api/controls.ts";
import type { Scope } from "../../protocol/actor.ts";
import { Json } from "../../protocol/json.ts";
import { type LocalizedText, localized } from "../../protocol/localized/localized-text.ts";
import {
  type PresenceProof,
  type PresenceResponse,
  PresenceStatement,
  PresenceSubject,
} from "../../protocol/presence.ts";
import { type Refusal, refuse, type Refused } from "../../protocol/refusal.ts";
import type { Passkey } from "../../store/passkeys.ts";
import type { Store } from "../../store/store.ts";
import type { BrowserLogins } from "../login/browser-logins.ts";
import { StoreRefused, storeRefusal } from "../methods/store-refusal.ts";
import { type AssertionFault, checkAssertion, clientDataIn } from "./check-assertion.ts";
import type { PageAddress } from "./page-address.ts";
import type { Passkeys } from "./passkeys.ts";
import { statementChallenge } from "./statement-challenge.ts";

export const CHALLENGE_MS_MAX = 2 * 60_000;
/** A clock that was set back by more than this voids what is open. */
const CLOCK_BACK_MS_MAX = 5_000;
const NONCE_BYTES = 32;

const Asked = z.object({ kind: z.literal("decision"), statement: PresenceStatement });

export type PresenceParts = {
  store: Store;
  clock: Clock;
  passkeys: Passkeys;
  logins: Pick<BrowserLogins, "link">;
  address(): PageAddress;
};

export function createPresence(parts: PresenceParts): PresencePort {
  const { store, clock } = parts;

  async function turnedAway(actor: OperatorActor, reason: Fault, credentialId: string): Promise<Refused> {
    const facts = [{ type: "presence.refused" as const, detail: { reason, credentialId: credentialId.slice(0, 128) } }];
    await store.audit({ atMs: clock.now(), actor: actor.id, facts });
    return refuse("PRESENCE_INVALID", FAULTS[reason]);
  }

  return {
    async verify(response, actor) {
      const checked = await verified(response, actor, parts);
      return "fault" in checked ? turnedAway(actor, checked.fault, response.credentialId) : checked;
    },
    async ask(refusal, by) {
      const subject = PresenceSubject.safeParse(refusal.details?.["presence"]).data;
      if (subject === undefined) return refusal;
      return asked(subject, by, parts);
    },
  };
}

type Fault = AssertionFault | "used" | "foreign-key" | "revoked-key" | "counter";

const FAULTS: Readonly<Record<Fault, LocalizedText>> = {
  used: localized("presenceUsed"),
  other: localized("presenceOther"),
  origin: localized("presenceOrigin"),
  unverified: localized("presenceUnverified"),
  broken: localized("presenceBroken"),
  counter: localized("presenceCounter"),
  "foreign-key": localized("presenceForeignKey"),
  "revoked-key": localized("presenceRevokedKey"),
};

type Verdict = PresenceProof | { fault: Fault } | Refused;

async function verified(response: PresenceResponse, actor: OperatorActor, parts: PresenceParts): Promise<Verdict> {
  const { passkeys, address } = parts;
  const statement = await taken(clientDataIn(response)?.challenge, actor, parts);
  if (statement === undefined) return { fault: "used" };
  if ("refused" in statement) return statement;
  const passkey = await passkeys.find(response.credentialId);
  if (passkey === undefined || passkey.operatorId !== actor.id) return { fault: "foreign-key" };
  if (passkey.revokedAtMs !== null) return { fault: "revoked-key" };
  const { rpId, origin } = address();
  const checked = await checkAssertion({
    response,
    challenge: statementChallenge(statement),
    rpId: rpId ?? "",
    isOurs: (given) => given === origin,
    publicKey: passkey.publicKey,
  });
  if ("fault" in checked) return checked;
  const isCounted = await stored(() => passkeys.used(passkey.credentialId, checked.counter));
  if (typeof isCounted !== "boolean") return isCounted;
  return isCounted ? { statement, ...response } : { fault: "counter" };
}

/** The statement that was asked of this person, the first time that its challenge comes back, in time. */
async function taken(
  challenge: string | undefined,
  actor: OperatorActor,
  { store, clock }: PresenceParts,
): Promise<PresenceStatement | Refused | undefined> {
  const open = challenge === undefined ? undefined : await store.challenge(challenge);
  const statement = Asked.safeParse(open?.doc).data?.statement;
  if (open === undefined || statement === undefined || open.operatorId !== actor.id) return undefined;
  const gone = await store.changePresence(
    { do: "take", key: open.key },
    { atMs: clock.now(), actor: actor.id, facts: [] },
  );
  if (gone.status === "conflict") return undefined;
  const refused = storeRefusal(gone);
  if (refused !== undefined) return refused;
  const ageMs = clock.now() - open.atMs;
  return ageMs < -CLOCK_BACK_MS_MAX || ageMs > CHALLENGE_MS_MAX ? undefined : statement;
}

type By = Parameters<PresencePort["ask"]>[1];

async function asked(subject: PresenceSubject, { actor, onChannel }: By, parts: PresenceParts): Promise<Refusal> {
  const { rpId, origin } = parts.address();
  const port = /:(\d+)$/.exec(origin)?.[1] ?? "443";
  const presence = Json.parse(subject);
  if (rpId === undefined) return needed(localized("presenceNoName", { port }), { presence });
  const usable = (await parts.passkeys.usable(actor.id)).filter((passkey) => passkey.rpId === rpId);
  if (usable.length === 0) return needed(localized("presenceNoKey", { name: actor.name }), { presence });
  if (actor.device === undefined) {
    const link = await linkTo(subject, { actor, origin, withLogin: onChannel !== true, parts });
    return needed(localized("presenceLink", { link }), { presence, link });
  }
  const challenge = await keep(subject, actor, parts);
  if ("refused" in challenge) return challenge.refused;
  return needed(localized("presenceNeeded"), {
    presence,
    origin,
    publicKey: Json.parse(requestOptions(challenge.challenge, rpId, usable)),
    expiresAtMs: challenge.expiresAtMs,
  });
}

const needed = (text: LocalizedText, details: NonNullable<Refusal["details"]>): Refusal =>
  refuse("PRESENCE_REQUIRED", text, details).refused;

async function keep(subject: PresenceSubject, { id: person }: OperatorActor, { store, clock }: PresenceParts) {
  const atMs = clock.now();
  const nonce = randomBytes(NONCE_BYTES).toString("base64url");
  const statement: PresenceStatement = { ...subject, person, nonce, atMs };
  const challenge = statementChallenge(statement);
  const doc = { kind: "decision", statement };
  const kept = { do: "keep" as const, challenge: { key: challenge, operatorId: person, atMs, doc } };
  const refused = storeRefusal(await store.changePresence(kept, { atMs, actor: person, facts: [] }));
  return refused ?? { challenge, expiresAtMs: atMs + CHALLENGE_MS_MAX };
}

function requestOptions(challenge: string, rpId: string, usable: readonly Passkey[]) {
  return {
    challenge,
    rpId,
    timeout: CHALLENGE_MS_MAX,
    userVerification: "required",
    allowCredentials: usable.map(({ credentialId: id, transports }) => ({ id, type: "public-key", transports })),
  };
}

type Linking = { actor: OperatorActor; origin: string; withLogin: boolean; parts: PresenceParts };

/** As much as deciding takes, even where the token may do more. */
const DECIDING: readonly Scope[] = ["operator.read", "operator.write", "operator.approvals"];

/**
 * Where the card is on the page. The one-time log-in goes only to whoever shows the operator's own token: in a chat
 * others may read along.
 */
async function linkTo({ sessionId }: PresenceSubject, { actor, origin, withLogin, parts }: Linking): Promise<string> {
  const path = sessionId === null ? "/settings" : `/sessions/${sessionId}`;
  return `${origin}${path}${withLogin ? (await parts.logins.link(actor, DECIDING)).fragment : ""}`;
}

async function stored<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefused) return { refused: error.refusal };
    throw error;
  }
}
