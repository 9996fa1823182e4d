/** What a plugin registers for the wire, and what it may read while it answers: for bundled and trusted plugins. */
import { FactWordingsSchema } from "../../protocol/localized/fact-wording-schema.ts";
import type { FactWordings } from "../../protocol/localized/fact-wording.ts";
import { METHODS } from "../../protocol/methods.ts";
import type { Scope } from "../../protocol/actor.ts";
import { JsonObject } from "../../protocol/json.ts";
import type { GatewayMethodHandler, PluginMethod, PluginRoute } from "../api/methods.ts";
import type { ConfigSections } from "../../protocol/plugin/plugin-protocol.ts";
import type { SettingsPlace, SettingsSource } from "../api/settings.ts";
import { PluginTexts } from "../api/texts.ts";
import type { PluginApi } from "../sdk.ts";
import { type Loaded, machineOf } from "./contributions.ts";
import { ownFactType } from "./own-facts.ts";
import { speakerOf } from "./own-lines.ts";
import { ownAnswer } from "./own-refusal.ts";
import { shapeProblems } from "./shape-problems.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Rights } from "./rights.ts";

/** Only of bundled plugins: a name that a document outside fixes. */
const PLAIN_METHOD_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const METHOD_NAME = /^[a-z][a-zA-Z0-9-]{0,63}\.[a-zA-Z][a-zA-Z0-9.-]{0,63}$/;

export function wireParts(
  own: Loaded,
  rights: Rights,
): Pick<PluginApi, "methods" | "registerGatewayMethod" | "routes" | "settings" | "texts" | "facts" | "documents"> {
  const reading = () => {
    rights.trusted("a reader of all sessions");
    return rights.running();
  };
  return {
    methods: { register: (method) => stageMethod(own, method, rights) },
    registerGatewayMethod: (name, handler, { scope = "operator.write" } = {}) =>
      stageMethod(own, gatewayMethod(name, handler, scope), rights),
    routes: { register: (route) => stageRoute(own, route, rights) },
    texts: { register: (texts) => stageTexts(texts, rights) },
    facts: { register: (facts) => stageFacts(own, facts, rights) },
    settings: {
      register: (source) => stageSettings(own, source, rights),
      read: (sessionKey) => readSettings(own, sessionKey, rights),
    },
    documents: {
      get: async (kind, id) => reading().documents.get(kind, id),
      list: async (query) => reading().documents.list(query),
    },
  };
}

const gatewayMethod = (
  name: string,
  handler: GatewayMethodHandler,
  scope: Scope,
): PluginMethod<JsonObject, JsonObject> => ({
  name,
  scope,
  about: "A method of a plugin.",
  params: JsonObject,
  result: JsonObject,
  answer: typeof handler === "function" ? async (params, call) => handler(params, call) : handler,
});

/** A plugin's names begin with its id, so that none can take a name that the gateway needs later. */
function stageMethod<Params, Result extends object>(
  own: Loaded,
  method: PluginMethod<Params, Result>,
  rights: Rights,
): void {
  rights.trusted("a method of the RPC");
  const { name } = method;
  rights.wellFormed(shapeProblems.method(method));
  const isOwn = own.tier === "bundled" || name.startsWith(`${own.id}.`);
  if (!isOwn || !(METHOD_NAME.test(name) || (own.tier === "bundled" && PLAIN_METHOD_NAME.test(name))))
    throw rights.fail("invalid", `"${name}" cannot name a method; write ${own.id}.<verb>`);
  if (Object.hasOwn(METHODS, name)) throw rights.fail("taken", `the method "${name}" is the gateway's own`);
  if (own.tier === "bundled") return rights.stage("methods", method);
  const answer: typeof method.answer = async (params, call) =>
    ownAnswer(await method.answer(params, call), speakerOf(own));
  rights.stage("methods", { ...method, answer });
}

/** A plugin may set only its own slices' settings: settings decide how strict a gate is. */
function stageSettings<Sections extends ConfigSections>(
  own: Loaded,
  source: SettingsSource<Sections>,
  rights: Rights,
): void {
  rights.trusted("settings of a machine");
  if (!own.has.slices.some(({ name }) => name === source.key))
    throw rights.fail("invalid", `it registers settings for "${source.key}", which is no machine of its own`);
  if (own.tier !== "bundled" && Object.values(source.sections).some((fields) => Object.keys(fields).length > 0))
    throw rights.fail("invalid", "only a bundled plugin adds to the configuration file; read your own config");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is parsed with these very sections, so their types may be forgotten
  const erased = source as unknown as SettingsSource<ConfigSections>;
  const sees =
    own.tier === "bundled" ? erased.resolve : (_: unknown, place: SettingsPlace) => erased.resolve(NOTHING, place);
  rights.stage("settings", { key: source.key, sections: source.sections, resolve: sees });
}

async function readSettings(own: Loaded, sessionKey: string, rights: Rights): Promise<unknown> {
  rights.trusted("settings of a machine");
  const { sessions, settingsFor } = rights.running();
  const id = SessionId.safeParse(sessionKey);
  const session = id.success ? await sessions.session(id.data) : undefined;
  const key = machineOf(own);
  return session === undefined || key === undefined ? undefined : settingsFor?.(session)[key];
}

/** The file is the operator's: a plugin from outside sees its own `config` and nothing else of it. */
const NOTHING = { root: {}, tools: {}, agentDefaults: {}, agent: undefined, binding: undefined };

function stageTexts(texts: PluginTexts, rights: Rights): void {
  rights.trusted("texts");
  const parsed = PluginTexts.safeParse(texts);
  if (!parsed.success) throw rights.fail("invalid", `its texts: ${parsed.error.issues[0]?.message ?? "do not fit"}`);
  rights.stage("texts", parsed.data);
}

/** Its types begin with its id, so that none passes for a fact of the gateway or of another plugin. */
function stageFacts(own: Loaded, facts: FactWordings, rights: Rights): void {
  rights.trusted("facts of the audit chain");
  const parsed = FactWordingsSchema.safeParse(facts);
  if (!parsed.success) throw rights.fail("invalid", `its facts: ${parsed.error.issues[0]?.message ?? "do not fit"}`);
  const foreign = Object.keys(parsed.data).find((type) => ownFactType(type, own.id) !== type);
  if (own.tier !== "bundled" && foreign !== undefined)
    throw rights.fail("invalid", `"${foreign}" cannot name a fact; write ${own.id}.<what happened>`);
  rights.stage("facts", parsed.data);
}

function stageRoute(own: Loaded, route: PluginRoute, rights: Rights): void {
  rights.trusted("an address");
  rights.wellFormed(shapeProblems.route(route));
  if (own.tier !== "bundled" && !route.below.startsWith(`/plugins/${own.id}/`))
    throw rights.fail("invalid", `its addresses begin with /plugins/${own.id}/, not with "${route.below}"`);
  rights.stage("routes", route);
}
