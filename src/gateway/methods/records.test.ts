import { mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import { faultyStore } from "../../../test/kit/faulty-store.ts";
import { alice } from "../../../test/kit/core.ts";
import { liveConfig } from "../../config/live-config.ts";
import { loadConfig } from "../../config/load.ts";
import type { Caller } from "../../http/method-table.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import { createBrowserLogins } from "../login/browser-logins.ts";
import { createTokens } from "../tokens.ts";
import { recordMethods } from "./records.ts";

const caller: Caller = {
  actor: alice,
  connectionId: "con_1",
  subscriptions: { add: async () => ({ cursor: 0, resumed: true }), remove: () => undefined, watch: () => undefined },
};

async function inHome(work: (made: Awaited<ReturnType<typeof world>>) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "holdpoint-records-"));
  const made = await world(home);
  try {
    await work(made);
  } finally {
    made.config.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function world(home: string) {
  const store = faultyStore(openMemoryStore());
  const clock = fakeClock();
  const config = liveConfig({ home, env: {}, loaded: await loadConfig(home, {}) });
  const tokens = createTokens({ store, clock });
  const logins = createBrowserLogins({ tokens, clock });
  const methods = recordMethods({ store, clock, config, tokens, logins, backupFolders: () => [join(home, "backups")] });
  const audited = async () =>
    (await store.auditRows({ afterSeq: 0, limit: 50 })).map(({ actor, body }) => [
      actor,
      /"type":"([^"]+)"/.exec(body)?.[1],
    ]);
  return { home, store, config, methods, audited };
}

it("[GW-06] [ST-07] sets and unsets one value, says whether it counts already, and leaves an audit row", async () => {
  await inHome(async ({ methods, audited }) => {
    const path = "gateway.connectionsMax";
    expect(await methods["config.set"]({ path, value: 7 }, caller)).toEqual({ applied: true, restartNeeded: false });
    expect(await methods["config.get"]({ path }, caller)).toMatchObject({ value: 7 });
    expect(await methods["config.set"]({ path: "gateway.port", value: 1 }, caller)).toEqual({
      applied: false,
      restartNeeded: true,
    });
    expect(await methods["config.unset"]({ path }, caller)).toEqual({ applied: true, restartNeeded: false });
    expect(await audited()).toEqual([
      ["opr_alice", "config.set"],
      ["opr_alice", "config.set"],
      ["opr_alice", "config.unset"],
    ]);
  });
});

it("[GW-06] refuses a bad value or an unknown path with where and why, and changes and records nothing", async () => {
  await inHome(async ({ methods, audited }) => {
    const bad = await methods["config.set"]({ path: "gateway.connectionsMax", value: "many" }, caller);
    expect(bad).toMatchObject({
      refused: { code: "CONFIG_INVALID", details: { problems: [{ path: "gateway.connectionsMax" }] } },
    });
    const unknown = await methods["config.get"]({ path: "gateway.prot" }, caller);
    expect(unknown).toMatchObject({
      refused: { code: "CONFIG_INVALID", message: expect.stringContaining("port") as string },
    });
    expect(await audited()).toEqual([]);
    expect(await methods["config.schema"]({}, caller)).toMatchObject({ schema: { type: "object" } });
  });
});

it("[GW-03] issues, lists and revokes tokens for an admin, in the admin's name", async () => {
  await inHome(async ({ methods, audited }) => {
    const made = await methods["tokens.create"]({ name: "bob", scopes: ["operator.read"] }, caller);
    if ("refused" in made) throw new Error(made.refused.message);
    expect(await methods["tokens.list"]({}, caller)).toEqual({ tokens: [made.token] });
    const revoked = await methods["tokens.revoke"]({ id: made.token.id }, caller);
    expect(revoked).toMatchObject({ token: { id: made.token.id, revokedAtMs: expect.any(Number) as number } });
    expect(await audited()).toEqual([
      ["opr_alice", "token.created"],
      ["opr_alice", "token.revoked"],
    ]);
  });
});

it("answers with what the store says when it takes no more", async () => {
  await inHome(async ({ methods, store }) => {
    await store.close();
    const refused = { refused: expect.objectContaining({ code: "STORE_UNAVAILABLE", retry: true }) as object };
    expect(await methods["tokens.create"]({ name: "bob", scopes: ["operator.read"] }, caller)).toEqual(refused);
    expect(await methods["config.set"]({ path: "gateway.connectionsMax", value: 7 }, caller)).toEqual(refused);
  });
});

it("[ST-07] reads the audit chain and proves it", async () => {
  await inHome(async ({ methods }) => {
    await methods["tokens.create"]({ name: "bob", scopes: ["operator.read"] }, caller);
    const { rows } = (await methods["audit.list"]({ afterSeq: 0, limit: 10 }, caller)) as { rows: unknown[] };
    expect(rows).toHaveLength(1);
    expect(await methods["audit.verify"]({}, caller)).toMatchObject({ verdict: { intact: true, rows: 1 } });
  });
});

it("[GW-06] [PG-01] shows what plugins are configured with to admins alone, and what is named like a secret to nobody", async () => {
  await inHome(async ({ home, methods, config }) => {
    const own = { apiKey: "k-1", region: "eu", nested: [{ password: "p" }] };
    const text = JSON.stringify({ plugins: { entries: { deploy: { enabled: false, config: own } } } });
    await writeFile(join(home, "config.yaml"), text);
    await config.reload();
    const asAdmin: Caller = { ...caller, actor: { ...alice, scopes: ["operator.admin"] } };
    const asReader: Caller = { ...caller, actor: { ...alice, scopes: ["operator.read"] } };
    const get = async (path: string | undefined, by: Caller) =>
      JSON.stringify(await methods["config.get"](path === undefined ? {} : { path }, by));
    const at = "plugins.entries.deploy.config";
    for (const path of [undefined, "", "plugins", "plugins.entries", "plugins.entries.deploy", at]) {
      expect(await get(path, asReader)).not.toMatch(/k-1|"eu"|"p"/);
      expect(await get(path, asAdmin)).toContain('"region":"eu"');
      expect(await get(path, asAdmin)).not.toMatch(/k-1|"p"/);
    }
    expect(await methods["config.get"]({ path: `${at}.region` }, asReader)).toMatchObject({ value: "***" });
    expect(await methods["config.get"]({ path: `${at}.apiKey` }, asAdmin)).toMatchObject({ value: "***" });
    expect(await methods["config.get"]({ path: "gateway.port" }, asReader)).toMatchObject({ value: 4747 });
  });
});

it("backs up into its own folder and those that are allowed, under a whole path, and says why where it cannot", async () => {
  await inHome(async ({ home, methods, config, audited }) => {
    const relative = await methods["backup.create"]({ path: "relative.db" }, caller);
    expect(relative).toMatchObject({ refused: { code: "INVALID_REQUEST", details: { path: "path" } } });
    const refused = await methods["backup.create"]({}, caller);
    expect(refused).toMatchObject({
      refused: { code: "STORE_UNAVAILABLE", message: expect.stringContaining("nothing to back up") as string },
    });
    expect(await audited()).toEqual([]);
    const store = await openSqliteStore({ folder: join(home, "store"), onFatal: () => undefined });
    const clock = fakeClock(0);
    const tokens = createTokens({ store, clock });
    const parts = { store, clock, config, tokens, logins: createBrowserLogins({ tokens, clock }) };
    const other = join(home, "other");
    const create = recordMethods({ ...parts, backupFolders: () => [join(home, "backups"), other] })["backup.create"];
    const path = join(home, "backups", "holdpoint-1970-01-01T00-00-00.000Z.db");
    expect(await create({}, caller)).toEqual({ path, bytes: (await stat(path)).size });
    expect(await create({}, caller)).toMatchObject({
      refused: { code: "STORE_UNAVAILABLE", message: expect.stringContaining("already exists") as string },
    });
    expect(await store.auditRows({ afterSeq: 0, limit: 9 })).toHaveLength(1);
    await symlink(home, join(home, "backups", "link"));
    const outside = ["config.yaml", "store/x.db", "backups/../x.db", "backups/link/x.db", "backups-2/x.db", "backups"];
    for (const to of outside)
      expect([to, await create({ path: join(home, to) }, caller)]).toMatchObject([to, { refused: {} }]);
    expect(await create({ path: join(home, "backups-2", "x.db") }, caller)).toMatchObject({
      refused: { code: "FORBIDDEN", details: { path: "path" } },
    });
    expect((await readdir(home)).toSorted()).toEqual(["backups", "store"]);
    expect(await create({ path: join(other, "deep", "x.db") }, caller)).toMatchObject({
      path: join(other, "deep", "x.db"),
    });
    await store.close();
  });
});
