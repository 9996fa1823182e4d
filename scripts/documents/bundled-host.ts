/** The bundled plugins as they register, without a gateway behind them: for documents that list what they bring. */
import { START_BUNDLED } from "../../src/gateway/plugins/start-bundled.ts";
import { loadPlugins, type PluginHost } from "../../src/plugins/host.ts";

export function bundledHost(): PluginHost {
  const host: PluginHost = loadPlugins([
    START_BUNDLED["plan-mode"](),
    START_BUNDLED["sub-agents"](),
    START_BUNDLED.scheduler({
      scheduler() {
        throw new Error("nothing runs here");
      },
      session: async () => undefined,
    }),
    START_BUNDLED["house-commands"]({ commands: () => host.commands }),
  ]);
  return host;
}
