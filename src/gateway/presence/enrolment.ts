/**
 * How a person gets a passkey: a one-time link, made for one operator, that works for minutes.
 *
 *   passkeys.link ──code──▶ /auth/passkey/options ──▶ the browser makes a key ──▶ /auth/passkey/enrol ──▶ enrolled
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import type { Enrolments } from "../../http/login/passkey-route.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { localized } from "../../protocol/localized/localized-text.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { NewPasskey } from "../../protocol/wire/enrolment.ts";
import type { Challenge, Passkey } from "../../store/passkeys.ts";
import type { Store } from "../../store/store.ts";
import { hashOf } from "../login/secret-hash.ts";
import { storeRefusal } from "../methods/store-refusal.ts";
import type { Tokens } from "../tokens.ts";
import { type PageAddress, refuseNameless } from "./page-address.ts";
import { fingerprintOf, type Passkeys } from "./passkeys.ts";

export const ENROL_MS_MAX = 10 * 60_000;
const CODE_BYTES = 24;
const NONCE_BYTES = 32;
/** A clock that was set back by more than this voids what is open. */
const CLOCK_BACK_MS_MAX = 5_000;
/** COSE names of ES256 and RS256: what authenticators of people have. */
const ALGORITHMS = [-7, -257];

/** `onTrust`: nobody had a passkey when it was made, so nobody signed for it. */
const Ticket = z.object({
  kind: z.literal("enrolment"),
  challenge: z.string(),
  by: z.string(),
  onTrust: z.boolean(),
});
type Ticket = z.infer<typeof Ticket>;
type Opened = { key: string; ticket: Ticket; operator: { id: OperatorId; name: string } };

export type EnrolmentParts = {
  store: Store;
  clock: Clock;
  tokens: Pick<Tokens, "operator">;
  passkeys: Pick<Passkeys, "usable" | "any">;
  address(): PageAddress;
};

/** The part of the link behind the page's address. */
export type EnrolmentLink = { fragment: string; expiresAtMs: number };

/** Keeps a code for one operator; whoever redeems it first adds a passkey for that operator. */
export async function keepTicket(
  { store, nowMs }: { store: Pick<Store, "changePresence">; nowMs: number },
  given: { operatorId: OperatorId; by: string; onTrust: boolean; facts: OwnFact[] },
): Promise<EnrolmentLink | Refused> {
  const code = randomBytes(CODE_BYTES).toString("base64url");
  const { by, onTrust } = given;
  const doc: Ticket = { kind: "enrolment", challenge: randomBytes(NONCE_BYTES).toString("base64url"), by, onTrust };
  const challenge: Challenge = { key: ticketKey(code), operatorId: given.operatorId, atMs: nowMs, doc };
  const audit = { atMs: nowMs, actor: given.by, facts: given.facts };
  const refused = storeRefusal(await store.changePresence({ do: "keep", challenge }, audit));
  return refused ?? { fragment: `#passkey=${code}`, expiresAtMs: nowMs + ENROL_MS_MAX };
}

const ticketKey = (code: string): string => `enrol:${hashOf(code)}`;

export function createEnrolments(parts: EnrolmentParts): Enrolments {
  const { store, clock, tokens, passkeys, address } = parts;

  async function open(code: string): Promise<Opened | undefined> {
    const key = ticketKey(code);
    const found = await store.challenge(key);
    const ticket = Ticket.safeParse(found?.doc).data;
    if (found === undefined || ticket === undefined) return undefined;
    const ageMs = clock.now() - found.atMs;
    if (ageMs < -CLOCK_BACK_MS_MAX || ageMs > ENROL_MS_MAX) return undefined;
    if (ticket.onTrust && (await passkeys.any())) return undefined; // the first passkey of all is taken on trust, no second one
    const operator = await tokens.operator(found.operatorId);
    return operator === undefined ? undefined : { key, operator, ticket };
  }

  return {
    async options(code) {
      const opened = await open(code);
      const { rpId } = address();
      if (opened === undefined) return USED_UP;
      if (rpId === undefined) return refuseNameless(address());
      const known = await passkeys.usable(opened.operator.id);
      return {
        operator: opened.operator.name,
        origin: address().origin,
        publicKey: creationOptions({ rpId, challenge: opened.ticket.challenge, operator: opened.operator, known }),
      };
    },
    async enrol({ code, name, response }) {
      const opened = await open(code);
      const { rpId, origin } = address();
      if (opened === undefined) return USED_UP;
      if (rpId === undefined) return refuseNameless(address());
      const silent = { atMs: clock.now(), actor: opened.operator.id, facts: [] };
      const taken = await store.changePresence({ do: "take", key: opened.key }, silent);
      if (taken.status === "conflict") return USED_UP; // another tab was first
      const failed = storeRefusal(taken);
      if (failed !== undefined) return failed;
      const made = await madeKey({ response, challenge: opened.ticket.challenge, rpId, origin });
      if ("refused" in made) return made;
      const second = await refuseSecond(opened, parts);
      if (second !== undefined) return second;
      const shown = name.trim() === "" ? "Passkey" : name.trim();
      const passkey: Passkey = {
        ...made,
        operatorId: opened.operator.id,
        name: shown,
        rpId,
        createdAtMs: clock.now(),
        usedAtMs: null,
        revokedAtMs: null,
      };
      const audit = {
        atMs: clock.now(),
        actor: opened.operator.id,
        facts: [enrolledFact(passkey, opened.ticket, origin)],
      };
      const saved = await store.changePresence({ do: "save", passkey, was: 0 }, audit);
      if (saved.status === "conflict") return KNOWN;
      const fingerprint = fingerprintOf(made.publicKey);
      return storeRefusal(saved) ?? { name: shown, operator: opened.operator.name, fingerprint };
    },
  };
}

/** Of two links on trust that are redeemed at the same moment, one is: the store takes this mark once. */
async function refuseSecond(
  { ticket, operator }: Opened,
  { store, clock }: EnrolmentParts,
): Promise<Refused | undefined> {
  if (!ticket.onTrust) return undefined;
  const atMs = clock.now();
  const mark = { key: "enrolled on trust", operatorId: operator.id, atMs, doc: {} };
  const marked = await store.changePresence({ do: "keep", challenge: mark }, { atMs, actor: operator.id, facts: [] });
  return marked.status === "conflict" ? USED_UP : storeRefusal(marked);
}

/** Holds the public key: whoever checks a signature later needs nothing but the chain. */
function enrolledFact(passkey: Passkey, { by }: Ticket, origin: string): OwnFact {
  const { credentialId, operatorId, name, publicKey, rpId } = passkey;
  const detail = { credentialId, operatorId, name, publicKey, rpId, origin, fingerprint: fingerprintOf(publicKey), by };
  return { type: "passkey.enrolled", detail };
}

type Creating = {
  rpId: string;
  challenge: string;
  operator: { id: OperatorId; name: string };
  known: readonly Passkey[];
};

function creationOptions({ rpId, challenge, operator, known }: Creating) {
  return {
    challenge,
    rp: { id: rpId, name: "Holdpoint" },
    user: { id: Buffer.from(operator.id).toString("base64url"), name: operator.name, displayName: operator.name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key" as const, alg })),
    timeout: ENROL_MS_MAX,
    attestation: "none" as const,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({
      id,
      type: "public-key" as const,
      transports,
    })),
    authenticatorSelection: { residentKey: "preferred" as const, userVerification: "required" as const },
  };
}

type Making = { response: NewPasskey; challenge: string; rpId: string; origin: string };
type MadeKey = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports">;

async function madeKey({ response, challenge, rpId, origin }: Making): Promise<MadeKey | Refused> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { credentialId: id, transports, ...made } = response;
  try {
    const { registrationInfo, verified } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response: made },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return notTaken("its proof does not hold");
    const { credential } = registrationInfo;
    const publicKey = Buffer.from(credential.publicKey).toString("base64url");
    return { credentialId: credential.id, publicKey, counter: credential.counter, transports };
  } catch (error) {
    return notTaken(error instanceof Error ? error.message : String(error)); // the library throws for whatever does not hold
  }
}

const notTaken = (reason: string): Refused => refuse("PRESENCE_INVALID", localized("enrolRefused", { reason }));

const USED_UP = refuse("PRESENCE_INVALID", localized("enrolUsed"));
const KNOWN = notTaken("it is known here already");
