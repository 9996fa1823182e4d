import { describe, expect, it } from "vitest";
import { gateSlice } from "../../../test/kit/core.ts";
import { plugin, tool } from "../../../test/kit/plugins.ts";
import { loadPlugins } from "../host.ts";
import { type PluginApi, z } from "../sdk.ts";

const method = {
  name: "lamp.show",
  scope: "operator.read",
  about: "Shows the lamp.",
  params: z.strictObject({}),
  result: z.strictObject({}),
  answer: async () => ({}),
} as const;
const field = {
  field: "lamp",
  schema: z.string(),
  requiredScopes: [],
  slice: "gate",
  toCommand: () => ({}),
};
const { answer, ...unanswered } = method;
const { kind: _kind, ...unkind } = tool("lamp_get");

/** As an author writes them whom no compiler tells. */
type Written = (api: PluginApi<never>) => void;
const given = (value: object) => value as never;

const WRONG: Record<string, [Written, string]> = {
  "a method with handler instead of answer": [
    (api) => api.methods.register(given({ ...unanswered, handler: answer })),
    'the method "lamp.show" needs the function answer and cannot have handler. What it can have: name, scope, params, result, answer, about',
  ],
  "a method with a scope that there is not": [
    (api) => api.methods.register(given({ ...method, scope: "read" })),
    'the method "lamp.show" has no scope "read". The scopes are operator.read',
  ],
  "a method of a name and something that is no function": [
    (api) => api.registerGatewayMethod("lamp.show", given({ answer })),
    'the method "lamp.show" needs the function answer',
  ],
  "a slice with cards beside describe": [
    (api) => api.session.registerSlice(given({ ...gateSlice, cards: () => [] })),
    'the session machine "gate" cannot have cards, which belongs into describe',
  ],
  "a slice that follows facts beside on": [
    (api) => api.session.registerSlice(given({ ...gateSlice, turnEnd: () => [] })),
    'the session machine "gate" cannot have turnEnd, which belongs into on',
  ],
  "a slice that describes what nobody reads": [
    (api) => api.session.registerSlice(given({ ...gateSlice, describe: { card: () => [] } })),
    'describe of the session machine "gate" cannot have card. What it can have: turnText',
  ],
  "a slice whose description is no function": [
    (api) => api.session.registerSlice(given({ ...gateSlice, describe: { cards: [] } })),
    'describe of the session machine "gate" needs the function cards',
  ],
  "a slice that does not evolve": [
    (api) => api.session.registerSlice(given({ ...gateSlice, evolve: undefined })),
    'the session machine "gate" needs the function evolve',
  ],
  "a field with apply instead of toCommand": [
    (api) => api.session.registerPatchField(given({ ...field, toCommand: undefined, apply: field.toCommand })),
    'the field "lamp" of sessions.patch needs the function toCommand and cannot have apply',
  ],
  "a worker that has run": [
    (api) => api.session.registerWorker(given({ slice: "gate", orders: ["ship"], run: answer })),
    'the worker of "gate" needs the function perform and cannot have run',
  ],
  "a policy that has judge": [
    (api) => api.tools.registerTrustedToolPolicy(given({ id: "quiet", description: "", judge: answer })),
    'the policy "quiet" needs the function evaluate and cannot have judge',
  ],
  "an address that has handler": [
    (api) => api.routes.register(given({ below: "/plugins/lamp/", handler: answer })),
    'the address "/plugins/lamp/" needs the function answer and cannot have handler',
  ],
};

describe("what a plugin registers", () => {
  it.each(Object.entries(WRONG))("[PG-01] is refused with what it needs: %s", (_what, [register, message]) => {
    for (const tier of ["trusted", "bundled"] as const)
      expect(() => loadPlugins([{ plugin: plugin("lamp", register), tier }])).toThrow(message);
  });

  it.each([
    ["no kind", unkind, 'the tool "lamp_get" is not classified: its kind is none of bash,'],
    [
      "no effect",
      { ...tool("lamp_get"), effect: undefined },
      'the tool "lamp_get" is not classified: its effect is none',
    ],
  ])(
    "[GA-03] is refused where it is a tool with %s: nothing that reads counts silently as a write",
    (_what, made, message) => {
      const register: Written = (api) => api.tools.registerTool(given(made));
      expect(() => loadPlugins([{ plugin: plugin("lamp", register), tier: "trusted" }])).toThrow(message);
    },
  );
});
