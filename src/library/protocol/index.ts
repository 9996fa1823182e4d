/** The library as clients, documents and the configuration see it. */
import { LIBRARY_CONFIG } from "./config.ts";
import { type PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { LibraryEntry } from "./library-entry.ts";
import { LIBRARY_METHODS } from "./library-methods.ts";
import { LibraryEvent } from "./library-state.ts";
import { WorkUnit } from "./work-unit.ts";

export const libraryProtocol = {
  id: "library",
  folder: "library",
  methods: LIBRARY_METHODS,
  patchFields: {},
  config: LIBRARY_CONFIG,
  events: LibraryEvent,
  shared: { LibraryEntry, WorkUnit },
} as const satisfies PluginProtocol;
