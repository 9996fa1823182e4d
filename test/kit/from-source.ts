/** For `node --import`: a plugin outside of our tree finds `holdpoint/plugin` and `holdpoint/testing` as they stand here. */
import { registerHooks } from "node:module";

const SOURCES: Readonly<Record<string, string>> = {
  "holdpoint/plugin": new URL("../../src/plugins/sdk.ts", import.meta.url).href,
  "holdpoint/testing": new URL("../../src/testing/index.ts", import.meta.url).href,
  "holdpoint/client": new URL("../../src/client/index.ts", import.meta.url).href,
};

registerHooks({
  resolve(specifier, context, next) {
    const url = SOURCES[specifier];
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
  },
});
