import { hash } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import { faultyStore } from "../../test/kit/faulty-store.ts";
import { openMemoryStore } from "../store/memory/memory-store.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { fileRevocations } from "./login/revocation-list.ts";
import { createTokens } from "./tokens.ts";

function world() {
  const store = faultyStore(openMemoryStore());
  const clock = fakeClock();
  return { store, clock, tokens: createTokens({ store, clock }) };
}

it("[GW-03] shows a secret of 256 random bits once and keeps only its hash", async () => {
  const { store, tokens, clock } = world();
  const { secret, token } = await tokens.create({
    name: "alice",
    scopes: ["operator.read", "operator.read"],
    by: "opr_root",
  });
  expect(secret).toMatch(/^hp_[A-Za-z0-9_-]{43}$/);
  const kept = await store.tokens();
  const view = {
    id: token.id,
    name: "alice",
    scopes: ["operator.read"],
    createdAtMs: clock.now(),
    revokedAtMs: null,
    device: null,
  };
  expect(token).toEqual(view);
  expect(kept).toEqual([{ ...view, tokenHash: hash("sha256", secret) }]);
  expect(JSON.stringify([kept, await store.auditRows({ afterSeq: 0, limit: 10 })])).not.toContain(secret);
  expect(await tokens.list()).toEqual([view]);
});

it("[GW-03] knows an operator by the secret alone, whole and exact", async () => {
  const { tokens } = world();
  const { secret, token } = await tokens.create({ name: "alice", scopes: ["operator.read"], by: "test" });
  await tokens.create({ name: "bob", scopes: ["operator.admin"], by: "test" });
  expect(await tokens.authenticate(secret)).toEqual({ id: token.id, name: "alice", scopes: ["operator.read"] });
  const wrong = [
    "",
    " ",
    "undefined",
    "null",
    secret.slice(0, -1),
    `${secret} `,
    secret.toUpperCase(),
    hash("sha256", secret),
  ];
  for (const guess of wrong) expect([guess, await tokens.authenticate(guess)]).toEqual([guess, undefined]);
});

it("[GW-03] forgets a revoked token at once, tells who listens, and records both in the audit chain", async () => {
  const { store, tokens } = world();
  const { secret, token } = await tokens.create({ name: "alice", scopes: ["operator.read"], by: "opr_root" });
  const revoked: string[] = [];
  tokens.onRevoked((id) => void revoked.push(id));
  expect(await tokens.authenticate(secret)).toBeDefined();
  await tokens.revoke(token.id, "opr_root");
  await tokens.revoke(token.id, "opr_root"); // again: it stays revoked, and nothing more is recorded
  expect(await tokens.authenticate(secret)).toBeUndefined();
  expect(revoked).toEqual([token.id]);
  const rows = await store.auditRows({ afterSeq: 0, limit: 10 });
  const types = rows.map(({ actor, body }) => [actor, /"type":"([^"]+)"/.exec(body)?.[1]]);
  expect(types).toEqual([
    ["opr_root", "token.created"],
    ["opr_root", "token.revoked"],
  ]);
  expect(await tokens.revoke("opr_none" as never, "x")).toMatchObject({ refused: { code: "INVALID_REQUEST" } });
});

it("[GW-03] notices within seconds what another gateway on the same store revoked", async () => {
  const { store, clock, tokens } = world();
  const other = createTokens({ store, clock });
  const { secret, token } = await tokens.create({ name: "alice", scopes: ["operator.read"], by: "test" });
  expect(await tokens.authenticate(secret)).toBeDefined();
  await other.revoke(token.id, "test");
  clock.advance(5_001);
  expect(await tokens.authenticate(secret)).toBeUndefined();
});

it("[GW-03, I05] ends what is open under a token that another gateway on the same store revoked, once", async () => {
  const { store, clock, tokens } = world();
  const other = createTokens({ store, clock });
  const heard: string[] = [];
  tokens.onRevoked((id) => heard.push(id));
  const kept = await tokens.create({ name: "alice", scopes: ["operator.read"], by: "test" });
  const gone = await tokens.create({ name: "bob", scopes: ["operator.approvals"], by: "test" });
  await tokens.look();
  await other.revoke(gone.token.id, "test");
  await tokens.look();
  await tokens.look();
  expect(heard).toEqual([gone.token.id]);
  await tokens.revoke(kept.token.id, "test");
  await tokens.look();
  expect(heard).toEqual([gone.token.id, kept.token.id]);
});

it("[GW-03] keeps no list that was read before a revocation and arrived after it", async () => {
  const { store, tokens } = world();
  const { secret, token } = await tokens.create({ name: "alice", scopes: ["operator.read"], by: "test" });
  const release = store.holdNext("tokens");
  const early = tokens.authenticate(secret);
  await tokens.revoke(token.id, "test");
  release();
  await early;
  expect(await tokens.authenticate(secret)).toBeUndefined();
});

it("makes no token that could not be recorded", async () => {
  const { store, tokens } = world();
  await store.close();
  await expect(tokens.create({ name: "alice", scopes: ["operator.read"], by: "test" })).rejects.toMatchObject({
    refusal: { code: "STORE_UNAVAILABLE", retry: true },
  });
});

it("[GW-03] a restored backup brings back no token and no log-in that was revoked since", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-restored-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, "revoked.jsonl");
  const clock = fakeClock();
  const open = (folder: string) => openSqliteStore({ folder: join(home, folder), onFatal: () => undefined });
  const start = async (folder: string) => {
    const store = await open(folder);
    const tokens = createTokens({ store, clock, revocations: fileRevocations(file) });
    return { store, tokens, ended: await tokens.endRevoked() };
  };
  const before = await start("store");
  const made = async (name: string) => before.tokens.create({ name, scopes: ["operator.read"], by: "test" });
  const [alice, bob, carol] = [await made("alice"), await made("bob"), await made("carol")];
  const device = (of: string, madeBy?: string) =>
    before.tokens.createDevice({
      name: "phone",
      scopes: [],
      operatorId: alice.token.id,
      cookieHash: hash("sha256", of),
      browserHash: "x",
      expiresAtMs: clock.now() + 1_000_000,
      ...(madeBy === undefined ? {} : { madeBy: madeBy as never }),
    });
  const phone = await device("phone");
  await device("tablet", phone.id);
  const copy = join(home, "copy", "holdpoint.db");
  mkdirSync(join(home, "copy"));
  await before.store.backup(copy);
  await before.tokens.revoke(bob.token.id, "test");
  await before.tokens.revoke(phone.id, "test");
  await before.store.close();
  const after = await start("copy");
  expect(after.ended).toBe(3);
  const valid = async (secret: string) => (await after.tokens.authenticate(secret)) !== undefined;
  expect([await valid(alice.secret), await valid(bob.secret), await valid(carol.secret)]).toEqual([true, false, true]);
  expect((await after.tokens.findDevice("phone"))?.ended).toBe(true);
  expect((await after.tokens.findDevice("tablet"))?.ended).toBe(true);
  const rows = await after.store.auditRowsBefore({ beforeSeq: null, limit: 3 });
  expect(rows.map(({ actor }) => actor)).toEqual(["revocation-list", "revocation-list", "revocation-list"]);
  await after.store.close();
});

it("[GW-03] the list of revocations survives a cut line, takes in what an earlier version revoked, and is never guessed", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-revoked-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, "revoked.jsonl");
  const { store, clock, tokens: earlier } = world();
  const { token } = await earlier.create({ name: "old", scopes: [], by: "test" });
  await earlier.revoke(token.id, "test");
  const tokens = createTokens({ store, clock, revocations: fileRevocations(file) });
  expect(await tokens.endRevoked()).toBe(0);
  const line = `{"id":"${token.id}","atMs":${clock.now()}}\n`;
  expect(readFileSync(file, "utf8")).toBe(line);
  appendFileSync(file, '{"id":"opr_cu');
  expect([...fileRevocations(file).all().keys()]).toEqual([token.id]);
  fileRevocations(file).add("opr_next" as never, 5);
  expect([...fileRevocations(file).all()]).toEqual([
    [token.id, clock.now()],
    ["opr_next", 5],
  ]);
  writeFileSync(file, `garbage\n${line}`);
  expect(() => fileRevocations(file)).toThrow("line 1 cannot be read");
});
