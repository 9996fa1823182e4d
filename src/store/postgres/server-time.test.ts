import { describe, expect, it, onTestFinished } from "vitest";
import { freshSchema, postgresUrl } from "../../../test/kit/postgres.ts";
import { aCommit, create, sid, underKey } from "../contract/harness.ts";
import type { Store } from "../store.ts";
import { localTime } from "../store-time.ts";
import { openPostgresStore } from "./postgres-store.ts";

const url = (await postgresUrl()) ?? "";
const HOUR_MS = 3_600_000;
/** The server is on this machine, so both clocks agree but for what a busy machine adds. */
const ABOUT_MS = 2_000;

async function storeOn(aheadMs: number): Promise<Store> {
  const place = freshSchema(url);
  const local = { ...localTime, wallMs: () => Date.now() + aheadMs };
  const store = await openPostgresStore({ ...place, local });
  onTestFinished(async () => {
    await store.close();
    await place.drop();
  });
  return store;
}

describe.skipIf(url === "")("the server's time", () => {
  it.each([25 * HOUR_MS, -HOUR_MS])(
    "[SC-04] is the store's, on a machine whose clock is %i ms ahead",
    async (aheadMs) => {
      const { time } = await storeOn(aheadMs);
      expect(Math.abs((time?.nowMs() ?? 0) - Date.now())).toBeLessThan(ABOUT_MS);
      expect(Math.abs((time?.skewMs() ?? 0) - aheadMs)).toBeLessThan(ABOUT_MS);
    },
  );

  it("[I07] refuses a commit that was decided by another time, and a commit by this one is written", async () => {
    const store = await storeOn(0);
    const nowMs = store.time?.nowMs() ?? 0;
    for (const atMs of [nowMs - HOUR_MS, nowMs + HOUR_MS])
      expect(await store.commit({ ...create(sid("1")), atMs })).toEqual({ status: "conflict" });
    expect(await store.session(sid("1"))).toBeUndefined();
    expect(await store.commit({ ...create(sid("1")), atMs: store.time?.nowMs() ?? 0 })).toMatchObject({ version: 1 });
  });

  it("[I07] refuses it in a group too, and writes the others of the group", async () => {
    const store = await storeOn(0);
    const nowMs = store.time?.nowMs() ?? 0;
    const times = [nowMs, nowMs - HOUR_MS, nowMs + HOUR_MS, nowMs];
    const results = await Promise.all(times.map((atMs, n) => store.commit({ ...create(sid(n)), atMs })));
    expect(results.map(({ status }) => status)).toEqual(["committed", "conflict", "conflict", "committed"]);
  });

  it("[I13] repeats the recorded answer, however late the request comes again", async () => {
    const store = await storeOn(0);
    const atMs = store.time?.nowMs() ?? 0;
    const once = { ...create(sid("1")), idempotency: underKey("k"), atMs };
    expect(await store.commit(once)).toMatchObject({ status: "committed" });
    expect(await store.commit({ ...once, atMs: atMs - HOUR_MS })).toMatchObject({ status: "replayed" });
    const late = aCommit(sid("1"), { expectedVersion: 1, idempotency: underKey("k2"), atMs: atMs - HOUR_MS });
    expect(await store.commit(late)).toEqual({ status: "conflict" });
  });
});
