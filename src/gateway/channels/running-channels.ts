/** Which channels have been started: each start has its stop, and the next life of a channel waits for it. */
import type { Clock } from "../../engine/clock.ts";
import { createLanes } from "../../lane/lane.ts";
import type { ChannelIo } from "../../plugins/api/channel.ts";
import type { RegisteredChannel } from "../../plugins/host.ts";

/** So long the gateway, or the next life of a channel, waits for one that does not let go. */
const STOP_MS_MAX = 5_000;

export type RunningChannels = {
  /** Starts what is wanted and not there, stops what is not wanted any more. */
  reconcile(wanted: ReadonlyMap<string, RegisteredChannel>): void;
  stop(): Promise<void>;
};

export type RunningParts = {
  clock: Clock;
  ioFor(surface: string): ChannelIo;
  failed(pluginId: string, error: unknown): void;
  started(surface: string): void;
};

/** `left` resolves when it is not wanted any more: a channel may listen in its very `start`, which then never ends. */
type Running = RegisteredChannel & { left: PromiseWithResolvers<false> };

export function createRunningChannels({ clock, ioFor, failed, started }: RunningParts): RunningChannels {
  const running = new Map<string, Running>();
  const lanes = createLanes();
  let stopped = false;

  function begin(surface: string, registered: RegisteredChannel): void {
    const one: Running = { ...registered, left: Promise.withResolvers() };
    running.set(surface, one);
    void lanes.run(surface, async () => {
      if (running.get(surface) !== one) return; // it went before its turn came
      try {
        const starts = Promise.resolve(registered.channel.start(ioFor(surface))).then(() => true);
        if (await Promise.race([starts, one.left.promise])) started(surface);
      } catch (error) {
        failed(registered.pluginId, error);
      }
    });
  }

  function end(surface: string, { pluginId, channel, left }: Running): void {
    running.delete(surface);
    left.resolve(false);
    void lanes.run(surface, async () => {
      const late = Promise.withResolvers<never>();
      const tooLong = new Error(`the channel ${surface} did not stop within ${STOP_MS_MAX} ms`);
      const callOff = clock.wakeAt(clock.now() + STOP_MS_MAX, () => late.reject(tooLong));
      try {
        await Promise.race([channel.stop?.(), late.promise]);
      } catch (error) {
        failed(pluginId, error);
      } finally {
        callOff();
      }
    });
  }

  return {
    reconcile(wanted) {
      if (stopped) return;
      for (const [surface, one] of running) if (wanted.get(surface)?.channel !== one.channel) end(surface, one);
      for (const [surface, one] of wanted) if (!running.has(surface)) begin(surface, one);
    },
    async stop() {
      stopped = true;
      for (const [surface, one] of running) end(surface, one);
      await lanes.idle();
    },
  };
}
