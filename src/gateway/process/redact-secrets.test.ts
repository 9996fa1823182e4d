import { expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";

it.each([
  ["use sk-ant-api03-abcdefghijklmnopqrstuvwx please", "use [redacted] please"],
  ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted]"],
  ["AKIAABCDEFGHIJKLMNOP", "[redacted]"],
  ["password=hunter22 and more", "password=[redacted] and more"],
  ['{"api_key": "abcd1234"}', '{"api_key": "[redacted]"}'],
  ["Authorization: Bearer abc.def.ghi", "Authorization: Bearer [redacted]"],
  ["postgres://me:geheim@host/db", "postgres://me:[redacted]@host/db"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted]"],
])("[GW-07] leaves the secret out of %j", (text, expected) => expect(redactSecrets(text)).toBe(expected));

it.each([
  "[plan-mode] approved plan_id=pln_mLF__-LsEO5-b7iYYyeQ1Q",
  "[plan-mode] rejected plan_id=pln_028REPSo86OFV4vVzzQAbc reason=use the token bucket, not a secret handshake",
  "[plan-mode] exited — plan: Add a password field to the form… (full plan in turn log #2)",
])("[CH-10] leaves %j as it stands", (line) => expect(redactSecrets(line)).toBe(line));
