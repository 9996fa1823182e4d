import { expect, it } from "vitest";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import type { ChannelIo } from "../../plugins/api/channel.ts";
import type { RegisteredChannel } from "../../plugins/host.ts";
import { createRunningChannels } from "./running-channels.ts";

const IO: ChannelIo = {
  receive: async () => ({ kind: "dropped" }),
  mayWrite: async () => false,
  follow: async () => undefined,
  unfollow: async () => undefined,
  notes: { get: async () => undefined, set: async () => undefined, add: async () => true },
  hold: async () => ({
    isHere: () => true,
    holder: () => undefined,
    onChange: () => undefined,
    release: async () => undefined,
  }),
  resume: () => undefined,
  pageOf: () => undefined,
};

function world() {
  const seen: string[] = [];
  const clock = fakeClock();
  const running = createRunningChannels({
    clock,
    ioFor: (surface) => (seen.push(`io ${surface}`), IO),
    failed: (pluginId, error) => void seen.push(`${pluginId} failed: ${String(error)}`),
    started: (surface) => void seen.push(`${surface} started`),
  });
  const channel = (name: string, change: Partial<RegisteredChannel["channel"]> = {}): RegisteredChannel => ({
    pluginId: name,
    channel: {
      id: "fake",
      start: () => void seen.push(`start ${name}`),
      deliver: async () => ({ receipts: [] }),
      stop: () => void seen.push(`stop ${name}`),
      ...change,
    },
  });
  return { seen, running, channel, clock };
}

it("starts a channel once, and stops it when its plugin goes", async () => {
  const { seen, running, channel } = world();
  const wanted = new Map([["fake", channel("one")]]);
  running.reconcile(wanted);
  running.reconcile(wanted);
  await quiet();
  expect(seen).toEqual(["io fake", "start one", "fake started"]);
  running.reconcile(new Map());
  await quiet();
  expect(seen.slice(3)).toEqual(["stop one"]);
});

it("starts the next life of a channel when the last one has let go", async () => {
  const { seen, running, channel } = world();
  const stopping = Promise.withResolvers<void>();
  running.reconcile(new Map([["fake", channel("one", { stop: () => stopping.promise })]]));
  await quiet();
  running.reconcile(new Map([["fake", channel("two")]]));
  await quiet();
  expect(seen).not.toContain("start two");
  stopping.resolve();
  await quiet();
  expect(seen.slice(-2)).toEqual(["start two", "fake started"]);
});

it("counts what a channel throws against its plugin, and is stopped whole", async () => {
  const { seen, running, channel } = world();
  const broken = () => {
    throw new Error("no network");
  };
  running.reconcile(new Map([["fake", channel("one", { start: broken, stop: broken })]]));
  await quiet();
  expect(seen).toEqual(["io fake", "one failed: Error: no network"]);
  await running.stop();
  expect(seen.slice(2)).toEqual(["one failed: Error: no network"]);
  running.reconcile(new Map([["fake", channel("two")]]));
  await quiet();
  expect(seen).toHaveLength(3);
});

it("[I21] stops one that is still starting, and waits five seconds for one that does not let go", async () => {
  const { seen, running, channel, clock } = world();
  const forever = new Promise<never>(() => undefined);
  const stop = () => (seen.push("asked to stop"), forever);
  running.reconcile(new Map([["fake", channel("one", { start: () => forever, stop })]]));
  await quiet();
  let isOver = false;
  void running.stop().then(() => (isOver = true));
  await quiet();
  expect([seen, isOver]).toEqual([["io fake", "asked to stop"], false]);
  clock.advance(5_000);
  await quiet();
  expect(isOver).toBe(true);
  expect(seen.at(-1)).toMatch("one failed");
});
