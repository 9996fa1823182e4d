/**
 * A request that may need the person's passkey: it is sent, and where the gateway asks for a signature it is signed and
 * sent again. The code that talks to the authenticator is loaded when it is needed first.
 */
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PresenceResponse } from "../../src/protocol/presence.ts";

/** Signs what a refusal asks for. Throws a HoldpointError that says why not. */
export type Sign = (details: JsonObject) => Promise<PresenceResponse>;

export const signHere: Sign = async (details) => (await import("../presence/sign-here.ts")).signHere(details);

/** `asking` is told when the person has to do something. */
export async function withPasskey<Result>(
  send: (presence?: PresenceResponse) => Promise<Result>,
  { sign = signHere, asking }: { sign?: Sign; asking?(): void } = {},
): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof HoldpointError) || error.code !== "PRESENCE_REQUIRED") throw error;
    const { details } = error;
    if (details["publicKey"] === undefined) throw error; // no passkey can be given here, and the message says why
    asking?.();
    return send(await sign(details));
  }
}
