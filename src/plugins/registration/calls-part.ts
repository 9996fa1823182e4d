/** `api.calls`: callers are opened and used by what may change something, also one that was opened earlier. */
import type { CallsApi, OpenCaller } from "../api/calls.ts";
import type { PluginCalls } from "../plugin-runtime.ts";
import type { Loaded } from "./contributions.ts";
import type { Rights } from "./rights.ts";

export function callsOf({ id }: Loaded, rights: Rights): CallsApi {
  const calls = (): PluginCalls => {
    rights.trusted("callers");
    const found = rights.changing().calls;
    if (found === undefined) throw rights.fail("failed", "nobody but turns makes calls in this gateway");
    return found;
  };
  return {
    createSession: async (given) => calls().createSession(id, given),
    async open(given) {
      const opened = await calls().open(id, given);
      return "refused" in opened ? opened : guarded(opened, rights);
    },
    async results(given) {
      rights.trusted("callers");
      return (await rights.running().calls?.results(id, given)) ?? [];
    },
    async resume(given) {
      const resumed = await calls().resume(id, given);
      return "refused" in resumed ? resumed : { ...resumed, caller: guarded(resumed.caller, rights) };
    },
  };
}

function guarded(caller: OpenCaller, { mayChange }: Rights): OpenCaller {
  return {
    id: caller.id,
    over: caller.over,
    async call(tool, args, options) {
      mayChange();
      return caller.call(tool, args, options);
    },
    async suspend(keptMs) {
      mayChange();
      return caller.suspend(keptMs);
    },
    async close() {
      mayChange();
      return caller.close();
    },
  };
}
