import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import { plugin } from "../../../test/kit/plugins.ts";
import { createPluginHost } from "../../plugins/host.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import type { CommitResult, Store } from "../../store/store.ts";
import { enableGiven } from "./plugin-host.ts";
import { openState } from "../state.ts";

const AWAY: CommitResult = {
  status: "failed",
  failure: { reason: "full", outcome: "nothing-written", message: "The disk is full." },
};

it("[ST-07, PG-01] changes of plugins and of the file that the store did not take are kept, shown and recorded later", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-record-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const inner = openMemoryStore();
  let isFull = true;
  const store: Store = { ...inner, audit: (entry) => (isFull ? Promise.resolve(AWAY) : inner.audit(entry)) };
  const clock = fakeClock();
  const given = [{ plugin: plugin("deploy", () => undefined), tier: "trusted" as const }];
  const state = await openState({ home, workspace: home, clock, store, log: "silent", env: {}, plugins: given });
  onTestFinished(() => state.config.close());
  const beganAtMs = clock.now();
  await enableGiven(state, createPluginHost({ clock }));
  writeFileSync(join(home, "config.yaml"), "gateway: { connectionsMax: 7 }\n");
  await state.config.reload();
  await expect.poll(() => state.record.notes()).toEqual([expect.stringMatching(/^2 facts .* not in the audit yet/)]);
  isFull = false;
  clock.advance(1_000);
  await expect.poll(() => state.record.notes()).toEqual([]);
  const rows = await inner.auditRows({ afterSeq: 0, limit: 9 });
  expect(rows.map(({ actor, atMs, body }) => [actor, atMs, /"type":"([^"]+)"/.exec(body)?.[1]])).toEqual([
    ["plugins", beganAtMs, "plugin.enabled"],
    ["config-file", beganAtMs, "config.changed"],
  ]);
});
