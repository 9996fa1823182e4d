/** Secrets that have a form of their own, in files and in what programs print; and what looks like one and is none (GW-04). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CENSOR, createRedaction, redactKeys } from "./redaction.ts";

const RANDOM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6+/7A8b9C0d1E".repeat(4);
const LINES = Array.from({ length: 12 }, (_none, n) => RANDOM.slice(n, n + 64));
const pem = (kind: string, between = "\n"): string =>
  [`-----BEGIN ${kind}-----`, ...LINES, "Zm9vYg==", `-----END ${kind}-----`].join(between);
const HEADER = Buffer.from(JSON.stringify({ alg: "RS256", kid: "a-key", typ: "JWT" })).toString("base64url");
const PAYLOAD = Buffer.from(JSON.stringify({ sub: "1234567890", name: "A. Person" })).toString("base64url");
const SIGNED = `${HEADER}.${PAYLOAD}.${RANDOM.replaceAll(/[+/]/g, "x").slice(0, 43)}`;
const AWS = "wJ4lrXUtnF3MIxK7MDENGxbPxRfiCY1ABCD2KEY9";

const SECRETS: readonly (readonly [string, string])[] = [
  ...["RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"].map(
    (kind) => [`a\n${pem(kind)}\nb`, `a\n${CENSOR}\nb`] as const,
  ),
  [`key: "${pem("PRIVATE KEY", "\\n")}\\n", next: 1`, `key: "${CENSOR}\\n", next: 1`],
  [`{"private_key":"${pem("PRIVATE KEY", "\\r\\n")}"}`, `{"private_key":"${CENSOR}"}`],
  [pem("RSA PRIVATE KEY", "\n+"), CENSOR],
  [pem("PRIVATE KEY", '" +\n  "'), CENSOR],
  [
    `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${LINES.join("\n")}\n-----END RSA PRIVATE KEY-----`,
    CENSOR,
  ],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${LINES.slice(0, 3).join("\n")}\n(cut)`, `${CENSOR}(cut)`],
  [
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: X 1\n\n${LINES.join("\n")}\n-----END PGP PRIVATE KEY BLOCK-----`,
    CENSOR,
  ],
  [`Authorization: Bearer ${SIGNED}`, `Authorization: Bearer ${CENSOR}`],
  [`"${SIGNED}"`, `"${CENSOR}"`],
  [`aws_secret_access_key = ${AWS}\nregion = x`, `aws_secret_access_key = ${CENSOR}\nregion = x`],
  [`export AWS_SECRET_ACCESS_KEY="${AWS}"`, `export AWS_SECRET_ACCESS_KEY="${CENSOR}"`],
  [`{"SecretAccessKey": "${AWS}"}`, `{"SecretAccessKey": "${CENSOR}"}`],
  [`secretAccessKey: '${AWS}',`, `secretAccessKey: '${CENSOR}',`],
  [`# key\nAGE-SECRET-KEY-1${"QZ3X7W".repeat(10).slice(0, 58)}\n`, `# key\n${CENSOR}\n`],
  ["postgres://app:s3cr3t-Of-ours@db.local:5432/app", `postgres://app:${CENSOR}@db.local:5432/app`],
  ["https://:gh0st-writer@example.org/x.git", `https://:${CENSOR}@example.org/x.git`],
  ["redis://default:kd82ns@10.0.0.1", `redis://default:${CENSOR}@10.0.0.1`],
];

const ORDINARY = [
  'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return parse(text.slice(27));',
  "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
  `-----BEGIN CERTIFICATE-----\n${LINES.join("\n")}\n-----END CERTIFICATE-----`,
  `-----BEGIN PUBLIC KEY-----\n${LINES.join("\n")}\n-----END PUBLIC KEY-----`,
  "An unsigned token begins with eyJ and has two dots: eyJhbGciOi....",
  `${HEADER}.not-a-payload.x`,
  "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "aws_secret_access_key = ${AWS_SECRET}",
  "const { accessKeyId, secretAccessKey } = await credentials();",
  "postgres://postgres:postgres@localhost:5432/app",
  "https://user:password@example.com/",
  "amqp://${USER}:${PASSWORD}@host",
  "mongodb://<user>:<password>@cluster0.mongodb.net",
  "http://localhost:3000/@scope/name",
  "https://files.example.org:8443/-/x/@types/node",
  "ssh://git@example.org:22/x.git",
  "http://[::1]:8080/a@b",
  "see https://example.org: it answers mail to me@example.org",
];

describe("secrets with a form of their own", () => {
  it.each(SECRETS)("[GW-04] are left out, and what is around them stays: %s", (text, clean) => {
    expect(redactKeys(text)).toBe(clean);
  });

  it.each(ORDINARY)("[GW-04] are not seen in what only looks like one: %s", (text) => {
    expect(redactKeys(text)).toBe(text);
  });

  it("[GW-04] read the same however what is printed is cut", () => {
    const redaction = createRedaction(() => []);
    const piece = fc.constantFrom(...SECRETS.map(([text]) => text), ...ORDINARY, " ", "\n", "-----", "://");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), fc.integer({ min: 1, max: 300 }), (pieces, size) => {
        const text = pieces.join(" ");
        const stream = redaction.stream();
        let out = "";
        for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
        expect(out + stream.end()).toBe(redaction.text(text));
      }),
    );
  });

  it("[GW-04, GW-05] a key that never ends is left out as far as a key can go, and then shown", () => {
    const line = `${RANDOM.slice(0, 64)}\n`;
    const endless = `-----BEGIN PRIVATE KEY-----\n${line.repeat(400)}`;
    const { length } = redactKeys(endless);
    expect([length > 5_000, length < endless.length - 16_000]).toEqual([true, true]);
    const stream = createRedaction(() => []).stream();
    const out = endless.match(/[^]{1,500}/g)?.map((piece) => stream.push(piece)) ?? [];
    expect(`${out.join("")}${stream.end()}`.length).toBeLessThan(endless.length - 15_000);
  });
});

it("[GW-04] the files of this repository are shown as they are, but for what tests and documents write as a secret", () => {
  const files = execFileSync("git", ["ls-files", "src", "ui", "docs", "scripts", "*.md", "*.json"], {
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.(?:ts|css|md|json|html)$/.test(file) && !/\.test\.|^test\//.test(file));
  const changed = files.filter((file) => {
    const text = readFileSync(file, "utf8");
    return redactKeys(text) !== text;
  });
  expect(files.length).toBeGreaterThan(500);
  expect(changed).toEqual([]);
});
