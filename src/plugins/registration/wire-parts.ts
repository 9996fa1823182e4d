/** What a plugin registers for the wire, and what it may read while it answers: for bundled and trusted plugins. */
import { METHODS } from "../../protocol/methods.ts";
import type { PluginMethod, PluginRoute } from "../api/methods.ts";
import type { PluginApi } from "../sdk.ts";
import type { Loaded } from "./contributions.ts";
import type { Rights } from "./rights.ts";

const METHOD_NAME = /^[a-z][a-zA-Z0-9-]{0,63}\.[a-zA-Z][a-zA-Z0-9.-]{0,63}$/;

export function wireParts(
  own: Loaded,
  rights: Rights,
): Pick<PluginApi, "methods" | "routes" | "documents" | "sessions"> {
  const reading = () => {
    rights.trusted("a reader of all sessions");
    return rights.running();
  };
  return {
    methods: { register: (method) => stageMethod(own, method, rights) },
    routes: { register: (route) => stageRoute(own, route, rights) },
    documents: {
      get: async (kind, id) => reading().documents.get(kind, id),
      list: async (query) => reading().documents.list(query),
    },
    sessions: { read: async (sessionId) => reading().sessions.session(sessionId) },
  };
}

/** A plugin's names stand under its own, so that none of them can take one that the gateway needs tomorrow. */
function stageMethod<Params, Result extends object>(
  own: Loaded,
  method: PluginMethod<Params, Result>,
  rights: Rights,
): void {
  rights.trusted("a method of the RPC");
  const { name } = method;
  if (!METHOD_NAME.test(name) || (own.tier !== "bundled" && !name.startsWith(`${own.id}.`)))
    throw rights.fail("invalid", `"${name}" cannot name a method; write ${own.id}.<verb>`);
  if (Object.hasOwn(METHODS, name)) throw rights.fail("taken", `the method "${name}" is the gateway's own`);
  rights.stage("methods", method);
}

function stageRoute(own: Loaded, route: PluginRoute, rights: Rights): void {
  rights.trusted("an address");
  if (own.tier !== "bundled" && !route.below.startsWith(`/plugins/${own.id}/`))
    throw rights.fail("invalid", `its addresses begin with /plugins/${own.id}/, not with "${route.below}"`);
  rights.stage("routes", route);
}
