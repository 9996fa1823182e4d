import { expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";

it.each([
  ["use sk-ant-api03-abcdefghijklmnopqrstuvwx please", "use [redacted] please"],
  ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted]"],
  ["AKIAABCDEFGHIJKLMNOP", "[redacted]"],
  ["password=hunter22 and more", "password=[redacted] and more"],
  ['{"api_key": "abcd1234"}', '{"api_key": "[redacted]"}'],
  ["Authorization: Bearer abc.def.ghi", "Authorization: Bearer [redacted]"],
  ["DB_PASSWORD=hunter22 npm start", "DB_PASSWORD=[redacted] npm start"],
  ["export GITHUB_TOKEN=abcdefgh1234", "export GITHUB_TOKEN=[redacted]"],
  ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted]"],
  ["client_secret=abcdef123456&access_token=abcdef1234", "client_secret=[redacted]&access_token=[redacted]"],
  ["mysql --password hunter22 -e x", "mysql --password [redacted] -e x"],
  ['{"password": "correct horse battery"}', '{"password": "[redacted]"}'],
  ["Authorization: token abcdef123456", "Authorization: token [redacted]"],
  ["glpat-abcdefghij0123456789", "[redacted]"],
  ["npm_abcdefghij0123456789abcdefghij012345", "[redacted]"],
  ["postgres://me:geheim@host/db", "postgres://me:[redacted]@host/db"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted]"],
  ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- after", "[redacted] after"],
  ["x -----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY----- after", "x [redacted] after"],
  ["x -----BEGIN PRIVATE KEY-----\nabc\nand its end was cut", "x [redacted]"],
  ["is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjf-tXw_4 it", "is [redacted] it"],
  ["is eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0. it", "is [redacted] it"],
  ['{"Password": "correct horse", "TOKEN": "battery staple"}', '{"Password": "[redacted]", "TOKEN": "[redacted]"}'],
  ["DB_Password=hunter22 api_KEY=abcd1234", "DB_Password=[redacted] api_KEY=[redacted]"],
  ["mysql --Password hunter22 --db-TOKEN abcd1234", "mysql --Password [redacted] --db-TOKEN [redacted]"],
])("[GW-07] leaves the secret out of %j", (text, expected) => expect(redactSecrets(text)).toBe(expected));

it.each([
  "[plan-mode] approved plan_id=pln_mLF__-LsEO5-b7iYYyeQ1Q",
  "[plan-mode] rejected plan_id=pln_028REPSo86OFV4vVzzQAbc reason=use the token bucket, not a secret handshake",
  "[plan-mode] refused tool=exec kind=bash",
  "[plan-mode] exited — plan: Rotate the tokens: first staging, then production… (full plan in turn log #2)",
  "[plan-mode] exited — plan: Add a password field to the form… (full plan in turn log #2)",
])("[CH-10] leaves %j as it stands", (line) => expect(redactSecrets(line)).toBe(line));
