/** Channels as clients, documents and the configuration see them. */
import { NO_SECTIONS, type PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { CHANNEL_METHODS } from "./channel-methods.ts";
import { facts } from "./facts.ts";
import { ChannelsSettings } from "./settings.ts";

export const channelsProtocol = {
  id: "channels",
  folder: "channels",
  methods: CHANNEL_METHODS,
  patchFields: {},
  config: {
    ...NO_SECTIONS,
    root: {
      channels: ChannelsSettings.describe("Accounts at vendors of chats, by the name that we give them."),
    },
  },
  facts,
} as const satisfies PluginProtocol;
