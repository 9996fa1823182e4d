/** Which channels have been started: each start has its stop, and the next life of a channel waits for it. */
import { createLanes } from "../../lane/lane.ts";
import type { ChannelIo } from "../../plugins/api/channel.ts";
import type { RegisteredChannel } from "../../plugins/host.ts";

export type RunningChannels = {
  /** Starts what is wanted and not there, stops what is not wanted any more. */
  reconcile(wanted: ReadonlyMap<string, RegisteredChannel>): void;
  stop(): Promise<void>;
};

export type RunningParts = {
  ioFor(surface: string): ChannelIo;
  failed(pluginId: string, error: unknown): void;
  started(surface: string): void;
};

export function createRunningChannels({ ioFor, failed, started }: RunningParts): RunningChannels {
  const running = new Map<string, RegisteredChannel>();
  const lanes = createLanes();
  let stopped = false;

  function begin(surface: string, registered: RegisteredChannel): void {
    running.set(surface, registered);
    void lanes.run(surface, async () => {
      if (running.get(surface) !== registered) return; // it went before its turn came
      try {
        await registered.channel.start(ioFor(surface));
        started(surface);
      } catch (error) {
        failed(registered.pluginId, error);
      }
    });
  }

  function end(surface: string, { pluginId, channel }: RegisteredChannel): void {
    running.delete(surface);
    void lanes.run(surface, async () => {
      try {
        await channel.stop?.();
      } catch (error) {
        failed(pluginId, error);
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
