/** The library as clients, documents and the configuration see it. */
import { NO_SECTIONS, type PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { LibraryEntry } from "./library-entry.ts";
import { LIBRARY_METHODS } from "./library-methods.ts";
import { LibraryEvent } from "./library-state.ts";

export const libraryProtocol = {
  id: "library",
  folder: "library",
  methods: LIBRARY_METHODS,
  patchFields: {},
  config: NO_SECTIONS,
  events: LibraryEvent,
  shared: { LibraryEntry },
} as const satisfies PluginProtocol;
