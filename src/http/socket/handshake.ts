/** The first request of a connection: which protocol, whose token, which scopes. The server decides all three. */
import { hasScope, type Scope } from "../../protocol/actor.ts";
import { PROTOCOL_VERSION } from "../../protocol/frames.ts";
import { METHODS, type ParsedParamsOf } from "../../protocol/methods.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { describeError } from "../describe-error.ts";
import type { GuessLimit } from "../guess-limit.ts";
import type { NotLoggedIn } from "../login/logins.ts";
import type { Operator } from "../operator.ts";

export type Authenticate = (secret: string) => Promise<Operator | undefined>;
/** Of one connection: its cookie is known already. Undefined where no page of ours opened it. */
export type AuthenticateTab = ((tabSecret: string) => Promise<Operator | NotLoggedIn>) | undefined;

export type Greeting = { operator: Operator; params: ParsedParamsOf<"connect"> };

export type IdentifyParts = { authenticate: Authenticate; guesses: GuessLimit; peer: string };
export type HandshakeParts = IdentifyParts & { authenticateTab: AuthenticateTab };

export async function shakeHands(given: unknown, parts: HandshakeParts): Promise<Greeting | Refused> {
  if (!speaksOurVersion(given)) {
    const supported = { min: PROTOCOL_VERSION, max: PROTOCOL_VERSION };
    const text = `This gateway speaks protocol ${PROTOCOL_VERSION}. Use a client that does, or update the gateway.`;
    return refuse("UNSUPPORTED_VERSION", text, { supported });
  }
  const parsed = METHODS.connect.params.safeParse(given);
  if (!parsed.success) {
    const { path, message } = describeError(parsed.error, given, "params");
    return refuse("INVALID_REQUEST", `connect: ${message}`, { path });
  }
  const { auth } = parsed.data;
  const operator = await ("token" in auth ? identify(auth.token, parts) : identifyTab(auth.tabSecret, parts));
  if ("refused" in operator) return operator;
  return { operator: narrowed(operator, parsed.data.scopes), params: parsed.data };
}

/**
 * Shared by every road in: a wrong token over HTTP slows WebSocket too. The token is looked at before the lock: others at
 * the same address must not be able to keep out somebody who has a valid one.
 */
export async function identify(
  secret: string,
  { authenticate, guesses, peer }: IdentifyParts,
): Promise<Operator | Refused> {
  const operator = await authenticate(secret);
  if (operator !== undefined) {
    guesses.right(peer);
    return operator;
  }
  const locked = lockedOut(guesses, peer);
  if (locked !== undefined) return locked;
  guesses.wrong(peer);
  return refuse("UNAUTHENTICATED", "This token is not valid, or was revoked. Ask an operator for another.");
}

/** The secret of a tab counts only with the cookie of its browser, on a connection that our own page opened. */
async function identifyTab(
  tabSecret: string,
  { authenticateTab, guesses, peer }: HandshakeParts,
): Promise<Operator | Refused> {
  const found = (await authenticateTab?.(tabSecret)) ?? { notLoggedIn: "guess" as const };
  if (!("notLoggedIn" in found)) return found;
  if (found.notLoggedIn === "guess") {
    const locked = lockedOut(guesses, peer);
    if (locked !== undefined) return locked;
    guesses.wrong(peer);
  }
  const otherTab = found.notLoggedIn === "other-tab";
  return refuse("UNAUTHENTICATED", otherTab ? TAB_UNKNOWN : NOT_LOGGED_IN, { newTab: otherTab });
}

const TAB_UNKNOWN = "This tab's secret is not known any more. Ask for another at /auth/tab.";
const NOT_LOGGED_IN = "This browser is not logged in. Make a link for it in the terminal: holdpoint link";

function lockedOut(guesses: GuessLimit, peer: string): Refused | undefined {
  const waitMs = guesses.waitMs(peer);
  if (waitMs <= 0) return undefined;
  const refusal = refuse("RATE_LIMITED", "Too many wrong tokens came from this address. Wait, then try again.", {
    retryAfterMs: Math.ceil(waitMs),
  });
  return { refused: { ...refusal.refused, retry: true } };
}

/** Looked at before the closed schema: a client of another version may send fields that we do not know. */
function speaksOurVersion(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return true; // the schema says what is wrong with it
  if (!("minProtocol" in given && "maxProtocol" in given)) return true;
  const { minProtocol, maxProtocol } = given;
  if (typeof minProtocol !== "number" || typeof maxProtocol !== "number") return true;
  return minProtocol <= PROTOCOL_VERSION && PROTOCOL_VERSION <= maxProtocol;
}

function narrowed(operator: Operator, asked: readonly Scope[] | undefined): Operator {
  if (asked === undefined) return operator;
  return { ...operator, scopes: [...new Set(asked)].filter((scope) => hasScope(operator.scopes, scope)) };
}
