/** Puts together what has to do with passkeys: keys, enrolment, challenges, and the methods about them. */
import type { Enrolments } from "../../http/login/passkey-route.ts";
import type { PresencePort } from "../../inbound/presence-port.ts";
import { createEnrolments } from "./enrolment.ts";
import { passkeyMethods } from "./passkey-methods.ts";
import { createPasskeys, type PasskeyParts, type Passkeys } from "./passkeys.ts";
import { createPresence, type PresenceParts } from "./presence.ts";

export type OpenPresence = {
  port: PresencePort;
  passkeys: Pick<Passkeys, "onRevoked" | "endRevoked">;
  enrolments: Enrolments;
  methods: ReturnType<typeof passkeyMethods>;
  notes(): Promise<string[]>;
};

export function openPresence(given: PasskeyParts & Pick<PresenceParts, "logins" | "address">): OpenPresence {
  const passkeys = createPasskeys(given);
  const parts = { ...given, passkeys };
  const port = createPresence(parts);
  return {
    port,
    passkeys,
    enrolments: createEnrolments(parts),
    methods: passkeyMethods({ ...parts, presence: port }),
    notes: passkeys.notes,
  };
}
