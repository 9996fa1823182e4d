/** The library as clients, documents and the configuration see it. */
import { NO_SECTIONS, type PluginProtocol } from "../../protocol/plugin-protocol.ts";
import { LibraryEvent } from "./library-state.ts";

export const libraryProtocol = {
  id: "library",
  folder: "library",
  methods: {},
  patchFields: {},
  config: NO_SECTIONS,
  events: LibraryEvent,
} as const satisfies PluginProtocol;
