/** The server's side of SCRAM-SHA-1 (RFC 5802), for one log-in. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Few: real servers ask for thousands, which the client computes in JavaScript. */
const ITERATIONS = 16;
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha1", key).update(text).digest();
const valueOf = (message: string, name: string): string =>
  message
    .split(",")
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(2) ?? "";

export function scramServer(password: string): { first(said: string): string; last(said: string): string | undefined } {
  const salt = randomBytes(16);
  let [clientFirst, serverFirst] = ["", ""];
  return {
    first(said) {
      clientFirst = said.replace(/^n,[^,]*,/, "");
      serverFirst = `r=${valueOf(clientFirst, "r")}${randomBytes(8).toString("hex")},s=${salt.toString("base64")},i=${ITERATIONS}`;
      return serverFirst;
    },
    /** Undefined where the password is wrong. */
    last(said) {
      const salted = pbkdf2Sync(password, salt, ITERATIONS, 20, "sha1");
      const authMessage = `${clientFirst},${serverFirst},${said.replace(/,p=.*$/, "")}`;
      const clientKey = hmac(salted, "Client Key");
      const signature = hmac(createHash("sha1").update(clientKey).digest(), authMessage);
      const proof = Buffer.from(valueOf(said, "p"), "base64");
      const found = Buffer.from(proof.map((byte, at) => byte ^ (signature[at] ?? 0)));
      const server = hmac(hmac(salted, "Server Key"), authMessage).toString("base64");
      return found.equals(clientKey) ? `v=${server}` : undefined;
    },
  };
}
