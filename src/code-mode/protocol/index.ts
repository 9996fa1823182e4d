/** Code mode as clients, documents and the configuration see it. */
import type { PluginProtocol } from "../../protocol/plugin/plugin-protocol.ts";
import { CODE_METHODS } from "./code-methods.ts";
import { CODE_MODE_CONFIG } from "./code-mode-config.ts";

export const codeModeProtocol = {
  id: "code-mode",
  folder: "code-mode",
  methods: CODE_METHODS,
  patchFields: {},
  config: CODE_MODE_CONFIG,
} as const satisfies PluginProtocol;
