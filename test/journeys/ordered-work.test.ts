/** Work that an outside plugin orders: it outlives a kill and the plugin being off, and is performed in order. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { committed, create, sid } from "../../src/store/contract/harness.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import { startTestGateway } from "../../src/testing/index.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const alive = () => new Promise<"alive">((resolve) => void setImmediate(resolve, "alive"));

const FIRST_MS = Date.UTC(2026, 0, 5, 9);

function courierFolder() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-courier-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    settings: { plugins: { entries: { courier: { config: { folder } } } } },
    close: () => writeFileSync(join(folder, "closed"), ""),
    open: () => rmSync(join(folder, "closed")),
    log: () => (existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8").trim().split("\n") : []),
  };
}

it("[PL-12, AU-07] an order that the scheduler gave before orders had workers is performed after the update", async () => {
  const store = openMemoryStore();
  // a row as version 0.1.0 left it in its outbox
  const recorded = JSON.parse(
    '{"kind":"carry-out","slice":"scheduler","order":{"do":"archive","sessionId":"ses_run"}}',
  );
  committed(await store.commit({ ...create(sid("run")), outbox: [recorded] }));
  const { start } = story();
  await start(scriptedModel([]), { store });
  await expect.poll(async () => (await store.session(sid("run")))?.session.archived).toBe(true);
  await expect.poll(() => store.pendingEffects({ id: 0, limit: 5 })).toEqual([]);
});

describe("a trusted outside plugin with a machine and a worker", () => {
  it("[PL-12, PG-01] has its orders performed after a kill, with the same key, one after another", async () => {
    const courier = courierFolder();
    courier.close();
    const folder = new URL("../kit/plugins/courier", import.meta.url);
    await using gateway = await startTestGateway({ folder, settings: courier.settings });
    const session = await gateway.session();
    await session.run("/courier one");
    await session.run("/courier two");
    await session.when(() => courier.log().length > 0);
    expect(courier.log()).toEqual(["one waits"]);
    const killed = gateway.kill().then(() => "killed");
    while ((await Promise.race([killed, alive()])) === "alive") gateway.clock.advance(1_000);
    courier.open();
    await gateway.restart();
    await session.when(() => courier.log().length === 3);
    const key = (line: string | undefined): string | undefined => /key (\S+),/.exec(line ?? "")?.[1];
    const [, one, two] = courier.log();
    expect([one, two]).toEqual([
      `one delivered, key ${session.id}:1:${FIRST_MS}, attempt 2`,
      `two delivered, key ${session.id}:2:${FIRST_MS}, attempt 1`,
    ]);
    expect(key(one)).not.toBe(key(two));
  });

  it("[PL-12, PG-01] has them kept and reported while it is switched off, and performed when it is on again", async () => {
    const courier = courierFolder();
    courier.close();
    const folder = new URL("../kit/plugins/courier", import.meta.url);
    await using gateway = await startTestGateway({ folder, settings: courier.settings });
    const session = await gateway.session();
    await session.run("/courier parcel");
    await session.when(() => courier.log().length > 0);
    await gateway.client.call("plugins.disable", { id: "courier" });
    courier.open();
    expect((await gateway.client.call("status", {})).stuckOrders).toEqual([]);
    gateway.clock.advance(60_000);
    const stuck = async () => (await gateway.client.call("status", {})).stuckOrders ?? [];
    await session.when(async () => (await stuck()).length > 0);
    expect(await stuck()).toEqual([
      {
        sessionId: session.id,
        slice: "courier",
        order: "deliver",
        status: "no-worker",
        sinceMs: FIRST_MS,
        attempts: 1,
        lastError: "",
      },
    ]);
    await gateway.restart(); // it is still off, and still owed
    expect(await stuck()).toHaveLength(1);
    await gateway.client.call("plugins.enable", { id: "courier" });
    await session.when(() => courier.log().length > 1);
    expect(courier.log()).toEqual(["parcel waits", `parcel delivered, key ${session.id}:1:${FIRST_MS}, attempt 2`]);
    await session.when(async () => (await stuck()).length === 0);
  });
});
