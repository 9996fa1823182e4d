/** What stands on the state, as one module: its code is loaded in one piece while the store opens. */
export { createAgent } from "../agent.ts";
export { openDoor } from "../door.ts";
export { createMachine } from "../machine.ts";
export { enableGiven } from "../plugins/connect-host.ts";
export { openPlugins, withPlugins } from "../plugins/open-plugins.ts";
