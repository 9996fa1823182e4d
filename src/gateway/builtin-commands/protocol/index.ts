/** The built-in commands as the list of bundled plugins sees them. */
import { NO_SECTIONS, type PluginProtocol } from "../../../protocol/plugin/plugin-protocol.ts";

export const builtinCommandsProtocol = {
  id: "house-commands",
  folder: "gateway/builtin-commands",
  methods: {},
  patchFields: {},
  config: NO_SECTIONS,
  commandRoots: ["help", "commands", "status"],
} as const satisfies PluginProtocol;
