/** How a browser adds a passkey for the operator whom a one-time link was made for, over plain HTTP: nobody need be logged in. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { JsonObject } from "../json.ts";

const code = z.string().min(1).max(128);
const bytes = (charsMax: number) =>
  z
    .string()
    .min(1)
    .max(charsMax)
    .regex(/^[A-Za-z0-9_-]+$/, "base64url");

/** What the browser's authenticator made. */
export const NewPasskey = lazySchema(() =>
  z.strictObject({
    credentialId: bytes(2_048),
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(16_384),
    transports: z.array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"])).max(8),
  }),
);
export type NewPasskey = z.infer<typeof NewPasskey>;

export const ENROLMENTS = {
  "/auth/passkey/options": {
    summary: "What a browser needs to make a passkey for the operator of a link. Uses nothing up.",
    request: z.strictObject({ code }),
    answer: z.strictObject({ operator: z.string(), origin: z.string(), publicKey: JsonObject }),
  },
  "/auth/passkey/enrol": {
    summary: "Uses up the code of the link, and adds the passkey that the browser made.",
    request: z.strictObject({ code, name: z.string().max(64), response: NewPasskey }),
    answer: z.strictObject({ operator: z.string(), name: z.string(), fingerprint: z.string() }),
  },
} as const;

export type EnrolmentPath = keyof typeof ENROLMENTS;
export type EnrolmentAnswerOf<Path extends EnrolmentPath> = z.infer<(typeof ENROLMENTS)[Path]["answer"]>;
