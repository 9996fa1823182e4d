/** The first request of a connection: which protocol, whose token, which scopes. The server decides all three. */
import { hasScope, type Scope } from "../protocol/actor.ts";
import { PROTOCOL_VERSION } from "../protocol/frames.ts";
import type { OperatorId } from "../protocol/ids.ts";
import { METHODS, type ParsedParamsOf } from "../protocol/methods.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import { describeError } from "./describe-error.ts";
import type { GuessLimit } from "./guess-limit.ts";

export type Operator = { id: OperatorId; name: string; scopes: Scope[] };
export type Authenticate = (secret: string) => Promise<Operator | undefined>;

export type Greeting = { operator: Operator; params: ParsedParamsOf<"connect"> };

export type HandshakeParts = { authenticate: Authenticate; guesses: GuessLimit; peer: string };

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
  const operator = await identify(parsed.data.auth.token, parts);
  if ("refused" in operator) return operator;
  return { operator: narrowed(operator, parsed.data.scopes), params: parsed.data };
}

/** Shared by every road in: a wrong token over HTTP slows WebSocket too. */
export async function identify(
  secret: string,
  { authenticate, guesses, peer }: HandshakeParts,
): Promise<Operator | Refused> {
  const waitMs = guesses.waitMs(peer);
  if (waitMs > 0) {
    const refusal = refuse("RATE_LIMITED", "Too many wrong tokens came from this address. Wait, then try again.", {
      retryAfterMs: Math.ceil(waitMs),
    });
    return { refused: { ...refusal.refused, retry: true } };
  }
  const operator = await authenticate(secret);
  if (operator !== undefined) {
    guesses.right(peer);
    return operator;
  }
  guesses.wrong(peer);
  return refuse("UNAUTHENTICATED", "This token is not valid, or was revoked. Ask an operator for another.");
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
