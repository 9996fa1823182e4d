/** A push service and a browser behind it: takes requests as the real ones do, and decrypts them as a browser would. */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { PushTarget } from "../../src/protocol/wire/push-methods.ts";

export type Pushed = { path: string; headers: IncomingHttpHeaders; body: Buffer };

export type PushReceiver = {
  origin: string;
  received: Pushed[];
  /** What it answers from now on to whoever it belongs to, by path; 201 unless set. */
  answers: Map<string, number>;
  close(): Promise<void>;
};

export async function pushReceiver(): Promise<PushReceiver> {
  const received: Pushed[] = [];
  const answers = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.get(path) ?? 201).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test kit: it listens on a port
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answers,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

export type PushBrowser = { target: PushTarget; decrypt(body: Buffer): string };

/** RFC 8291 with the encoding of RFC 8188, written here anew: what we send must be read by somebody else's code. */
export function pushBrowser(endpoint: string): PushBrowser {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: own.getPublicKey("base64url"), auth: auth.toString("base64url") };
  return {
    target: { endpoint, keys },
    decrypt(body) {
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + idLength);
      const sealed = body.subarray(21 + idLength);
      const shared = own.computeSecret(sender);
      const about = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender]);
      const secret = Buffer.from(hkdfSync("sha256", shared, auth, about, 32));
      const key = Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16));
      const nonce = Buffer.from(hkdfSync("sha256", secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12));
      const cipher = createDecipheriv("aes-128-gcm", key, nonce);
      cipher.setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8"); // the delimiter of the last record
    },
  };
}

/** What the request says about who sent it, if its signature (RFC 8292) is that of this public key. */
export function vapidClaims(authorization: string, publicKey: string): { aud: string; exp: number; sub: string } {
  const { t = "", k = "" } = Object.fromEntries(
    authorization
      .replace(/^vapid /, "")
      .split(",")
      .map((part) => part.trim().split(/=(.*)/s, 2)),
  ) as { t?: string; k?: string };
  if (k !== publicKey) throw new Error("signed by another key");
  const [head = "", claims = "", signature = ""] = t.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"));
  if (!isSigned) throw new Error("the signature does not fit");
  return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as { aud: string; exp: number; sub: string };
}
