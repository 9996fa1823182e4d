/** Everything that is built on the state, as one module: its code is loaded in one piece while the store opens. */
export { createAgent } from "./agent.ts";
export { composeServer } from "./server.ts";
export { composeEngine } from "./engine.ts";
export { composeModels } from "./models.ts";
export { createFeed } from "../gateway/feed.ts";
export { enableGiven } from "./plugins/plugin-host.ts";
export { openPlugins, withPlugins } from "./plugins/plugins.ts";
