/** Asks the browser for the person's passkey. What the browser refuses is told as the gateway's own refusals are. */
import { startAuthentication } from "@simplewebauthn/browser";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PresenceResponse } from "../../src/protocol/presence.ts";

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

export async function signHere({ publicKey, origin }: JsonObject): Promise<PresenceResponse> {
  if (typeof origin === "string" && origin !== location.origin) throw notSigned({ elsewhere: origin });
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway made it for exactly this
    const { id, response } = await startAuthentication({ optionsJSON: publicKey as unknown as Options });
    const { authenticatorData, clientDataJSON, signature } = response;
    return { credentialId: id, authenticatorData, clientDataJSON, signature };
  } catch {
    throw notSigned({ cancelled: true }); // browsers do not say whether the person or a timer ended it
  }
}

/** The details tell `problem-of.ts` which words to use. */
const notSigned = (details: JsonObject): HoldpointError =>
  new HoldpointError({ code: "PRESENCE_REQUIRED", message: "No passkey was given.", details });
