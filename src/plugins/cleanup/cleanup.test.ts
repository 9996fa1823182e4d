import { expect, it } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import type { CleanupMark, PluginRuntime } from "../plugin-runtime.ts";
import { createCleanup } from "./cleanup.ts";

const MARK: CleanupMark = { pluginId: "pins", slices: ["plugin:pins"], injectionKind: "plugin:pins" };

it.each(["note", "begin"] as const)("[PG-02] ends when a mark that is being written is written (%s)", async (way) => {
  const written = Promise.withResolvers<void>();
  const marks = { list: async () => [], put: () => written.promise, remove: async () => undefined };
  const cleanup = createCleanup({
    clock: fakeClock(),
    runtime: () => ({ marks }) as Partial<PluginRuntime> as PluginRuntime,
    isEnabled: () => true,
    cleanedUp: async () => undefined,
    report: () => undefined,
  });
  const order: string[] = [];
  const writing = way === "note" ? cleanup.note([MARK]) : cleanup.begin(MARK);
  const noted = writing.then(() => order.push("written"));
  const stopped = cleanup.stop().then(() => order.push("stopped"));
  await new Promise((resolve) => void setImmediate(resolve)); // what does not wait has ended by now
  written.resolve();
  await Promise.all([noted, stopped]);
  expect(order).toEqual(["written", "stopped"]);
});

it("[PG-02] ends also when a mark could not be written, which whoever asked for it is told", async () => {
  const failing = Promise.withResolvers<void>();
  const marks = { list: async () => [], put: () => failing.promise, remove: async () => undefined };
  const cleanup = createCleanup({
    clock: fakeClock(),
    runtime: () => ({ marks }) as Partial<PluginRuntime> as PluginRuntime,
    isEnabled: () => true,
    cleanedUp: async () => undefined,
    report: () => undefined,
  });
  const noting = cleanup.note([MARK]);
  const stopped = cleanup.stop();
  failing.reject(new Error("the disk is full"));
  await expect(noting).rejects.toThrow("the disk is full");
  await expect(stopped).resolves.toBeUndefined();
});
