/**
 * An authenticator and the browser around it, in software: it makes ES256 keys and signs challenges in the wire format of
 * WebAuthn (CBOR, COSE, authenticator data, client data), for tests that cannot touch a security key.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PresenceResponse } from "../../src/protocol/presence.ts";
import type { NewPasskey } from "../../src/protocol/wire/enrolment.ts";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** What goes wrong, or is made to go wrong. */
export type Oddity = {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  userPresent?: boolean;
  counter?: number;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** Signs other bytes than those that it shows. */
  breakSignature?: boolean;
  credentialId?: string;
};

export type SoftwareAuthenticator = {
  credentialId: string;
  /** As `navigator.credentials.create` would answer. */
  create(options: { challenge: string; rp: { id: string } }, oddity?: Oddity): NewPasskey;
  /** As `navigator.credentials.get` would answer; counts one further. */
  get(options: { challenge: string; rpId: string }, oddity?: Oddity): PresenceResponse;
  /** The same key with the same count, as whoever copied it has. */
  copy(): SoftwareAuthenticator;
};

type Key = { privateKey: KeyObject; publicKey: KeyObject; credentialId: string };

export function softwareAuthenticator(origin: string, start = 0): SoftwareAuthenticator {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return authenticator(origin, { ...pair, credentialId: randomBytes(32).toString("base64url") }, start);
}

function authenticator(origin: string, key: Key, start: number): SoftwareAuthenticator {
  let counter = start;
  return {
    credentialId: key.credentialId,
    create({ challenge, rp }, oddity = {}) {
      const data = authenticatorData(oddity.rpId ?? rp.id, { flags: ATTESTED | flagsOf(oddity), counter });
      const id = Buffer.from(key.credentialId, "base64url");
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([data, Buffer.alloc(16), length, id, coseKey(key.publicKey)]);
      const attestation = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", attested],
        ]),
      );
      return {
        credentialId: oddity.credentialId ?? key.credentialId,
        clientDataJSON: clientData("webauthn.create", challenge, { origin, ...oddity }),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      };
    },
    get({ challenge, rpId }, oddity = {}) {
      counter = oddity.counter ?? counter + 1;
      const data = authenticatorData(oddity.rpId ?? rpId, { flags: flagsOf(oddity), counter });
      const clientDataJSON = clientData("webauthn.get", challenge, { origin, ...oddity });
      const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, "base64url"))]);
      const bytes = oddity.breakSignature === true ? Buffer.concat([signed, Buffer.from([0])]) : signed;
      return {
        credentialId: oddity.credentialId ?? key.credentialId,
        authenticatorData: data.toString("base64url"),
        clientDataJSON,
        signature: sign("sha256", bytes, key.privateKey).toString("base64url"),
      };
    },
    copy: () => authenticator(origin, key, counter),
  };
}

const flagsOf = ({ userVerified = true, userPresent = true }: Oddity): number =>
  (userVerified ? USER_VERIFIED : 0) | (userPresent ? USER_PRESENT : 0);

const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();

function authenticatorData(rpId: string, { flags, counter }: { flags: number; counter: number }): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), tail]);
}

function clientData(type: string, challenge: string, oddity: Oddity & { origin: string }): string {
  const text = JSON.stringify({
    type: oddity.type ?? type,
    challenge: oddity.challenge ?? challenge,
    origin: oddity.origin,
    crossOrigin: oddity.crossOrigin ?? false,
  });
  return Buffer.from(text).toString("base64url");
}

/** kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
}

type Cbor = string | number | Buffer | Map<string | number, Cbor>;

/** The few kinds of CBOR that WebAuthn uses. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, item]) => [cbor(name), cbor(item)])]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  const long = Buffer.alloc(3);
  long.writeUInt8((major << 5) | 25);
  long.writeUInt16BE(size, 1);
  return long;
}
