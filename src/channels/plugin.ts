/** The bundled plugin `channels`: each kind of channel, started when an account of it is configured, and what they say. */
import { definePlugin, methodsOf, type Plugin, refuse } from "../plugins/sdk.ts";
import type { ChannelsHouse } from "./bridge/house.ts";
import { createKindChannel, type KindChannel } from "./bridge/kind-channel.ts";
import { KINDS } from "./kinds.ts";
import { CHANNEL_METHODS } from "./protocol/channel-methods.ts";
import { ChannelSettings } from "./protocol/settings.ts";
import { ENGLISH } from "./texts/en.ts";

export type ChannelsParts = { channels(): ChannelsHouse };

export const startPlugin = ({ channels }: ChannelsParts): Plugin =>
  definePlugin({
    id: "channels",
    name: ENGLISH.plugin_channels,
    description: ENGLISH.about_channels,
    register(api) {
      const kinds = new Map<string, KindChannel>();
      for (const { shape } of ChannelSettings.options) {
        const id = shape.kind.value;
        const kind = createKindChannel({ id, kind: KINDS[id], house: channels, log: api.log });
        kinds.set(id, kind);
        api.channels.register(kind.channel);
      }
      const methods = methodsOf(CHANNEL_METHODS, {
        async "channels.list"() {
          const accounts = Object.entries(channels().settings()).map(([name, { kind, enabled }]) => {
            const { state, problem, fix, holder } = kinds.get(kind)?.status(name) ?? NOT_RUNNING;
            return { name, kind, enabled, state, problem: problem ?? null, fix: fix ?? null, holder: holder ?? null };
          });
          return { accounts };
        },
        async "channels.check"({ name }) {
          const house = channels();
          const settings = house.settings()[name];
          if (settings === undefined) return refuse("INVALID_REQUEST", `channels.${name} is not configured.`);
          const { checkAccount } = await import("./check-account.ts");
          return checkAccount({ name, settings, house });
        },
      });
      for (const method of methods) api.methods.register(method);
    },
  });

const NOT_RUNNING = { state: "stopped", problem: undefined, fix: undefined, holder: undefined } as const;
