/** A trusted plugin from outside with a machine of its own: a lamp in each session, in the colour that people choose. */
import { SessionId } from "../../src/protocol/ids.ts";
import type { By } from "../../src/protocol/actor.ts";
import type { Card, CardText } from "../../src/protocol/card/card.ts";
import {
  definePlugin,
  type Effect,
  type PatchField,
  type PluginApi,
  refuse,
  type Slice,
  type SliceContext,
  z,
} from "../../src/plugins/sdk.ts";

const Colour = z.enum(["off", "red", "green"]);
const Bulb = z.strictObject({ id: z.string(), sinceMs: z.int(), state: z.enum(["broken", "ordered"]) });
const Lamp = z.strictObject({ colour: Colour, bulb: Bulb.exactOptional() });
const Bulbs = z.strictObject({
  id: z.string(),
  do: z.enum(["replace", "leave"]),
  why: z.string().max(100).exactOptional(),
});
const Command = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("switch"), colour: Colour }),
  z.strictObject({ type: z.literal("break") }),
  z.strictObject({ type: z.literal("decide"), ...Bulbs.shape }),
  z.strictObject({ type: z.literal("fit"), id: z.string() }),
]);
type LampState = z.infer<typeof Lamp>;
type LampEvent =
  | { type: "lamp.switched"; colour: z.infer<typeof Colour> }
  | { type: "lamp.broke"; id: string; atMs: number }
  | { type: "lamp.ordered"; id: string; by: By; atMs: number }
  | { type: "lamp.left-broken"; id: string; by: By; atMs: number; why: string }
  | { type: "lamp.fitted"; id: string };

export const LAMP_TEXTS = {
  en: {
    lit: "The lamp is {colour}.",
    dark: "It is dark.",
    broken: "The bulb of the lamp is broken",
    asked: "Shall somebody fit another one?",
    replace: "Replace it",
    leave: "Leave it",
    why: "Why?",
    replaced: "{name} had it replaced.",
    left: "{name} left it broken.",
    command_lamp: "Switches the lamp.",
    refused_DECIDED: "Somebody has decided about the bulb.",
    factSwitched: "The lamp was switched: {colour}",
  },
  de: {
    lit: "Die Lampe ist {colour}.",
    broken: "Die Birne der Lampe ist kaputt",
    replace: "Ersetzen",
    replaced: "{name} ließ sie ersetzen.",
    command_lamp: "Schaltet die Lampe.",
    refused_DECIDED: "Über die Birne ist entschieden.",
    factSwitched: "Die Lampe wurde geschaltet: {colour}",
  },
};

export const LAMP_FACTS = { "lamp.switched": { title: "factSwitched", tone: "accent" } } as const;

function say(key: keyof typeof LAMP_TEXTS.en, args: { name?: string } = {}): CardText {
  const text = LAMP_TEXTS.en[key].replace("{name}", args.name ?? "");
  return { text, said: [{ line: 0, key, args }] };
}

const stated = (event: LampEvent) => ({ events: [event], reply: {} });

function decide(state: LampState, command: z.infer<typeof Command>, context: SliceContext<unknown>) {
  const { nowMs: atMs, actor } = context;
  if (command.type === "switch") {
    const { colour } = command;
    return { events: [{ type: "lamp.switched" as const, colour }], reply: { colour } };
  }
  if (command.type === "break") return stated({ type: "lamp.broke", id: context.freshId("bulb_", 0), atMs });
  const { id } = command;
  if (state.bulb?.id !== id) return refuse("APPROVAL_STALE", "That bulb is not the one that broke.");
  if (command.type === "fit") return stated({ type: "lamp.fitted", id });
  if (state.bulb.state !== "broken") return refuse("lamp.DECIDED", "Somebody has decided.");
  if (actor.kind !== "operator") return refuse("FORBIDDEN", "Only people decide about bulbs.");
  const by = { kind: actor.kind, id: actor.id, name: actor.name };
  return command.do === "replace"
    ? stated({ type: "lamp.ordered", id, by, atMs })
    : stated({ type: "lamp.left-broken", id, by, atMs, why: command.why ?? "" });
}

function evolve(state: LampState, event: LampEvent): LampState {
  switch (event.type) {
    case "lamp.switched":
      return { ...state, colour: event.colour };
    case "lamp.broke":
      return { colour: "off", bulb: { id: event.id, sinceMs: event.atMs, state: "broken" } };
    case "lamp.ordered":
      return state.bulb === undefined ? state : { ...state, bulb: { ...state.bulb, state: "ordered" } };
    case "lamp.left-broken":
      return { colour: state.colour };
    case "lamp.fitted":
      return { colour: "green" };
  }
}

function cards({ bulb }: LampState): Card[] {
  if (bulb?.state !== "broken") return [];
  const { id, sinceMs } = bulb;
  const action = { scope: "operator.approvals", patch: { field: "lampBulb", value: { id } } } as const;
  const patchTo = (what: string) => ({ patch: { field: "lampBulb", value: { id, do: what } } });
  return [
    {
      kind: "approval",
      id,
      slice: "lamp",
      state: "pending",
      heading: say("broken"),
      title: "The lamp in the hall",
      status: say("asked"),
      sinceMs,
      steps: [],
      notesOpen: 0,
      actions: [
        {
          ...action,
          ...patchTo("replace"),
          id: "replace",
          label: say("replace"),
          tone: "yes",
          input: { kind: "none" },
        },
        {
          ...action,
          ...patchTo("leave"),
          id: "leave",
          label: say("leave"),
          tone: "no",
          input: { kind: "text", field: "why", charsMin: 1, charsMax: 100, label: say("why") },
        },
      ],
    },
  ];
}

function closedCard(card: Card, event: LampEvent): Card | undefined {
  if (card.kind !== "approval") return undefined;
  if (event.type === "lamp.ordered" && event.id === card.id) {
    const { by, atMs } = event;
    const status = say("replaced", { name: by.name });
    return { ...card, state: "approved", status, outcome: { by, atMs }, actions: [] };
  }
  if (event.type === "lamp.left-broken" && event.id === card.id) {
    const { by, atMs, why } = event;
    const status = say("left", { name: by.name });
    return { ...card, state: "rejected", status, outcome: { by, atMs, words: why }, actions: [] };
  }
  return undefined;
}

function effectsOf(event: LampEvent): Effect[] {
  switch (event.type) {
    case "lamp.ordered":
      return [{ kind: "perform", order: { do: "replace", id: event.id } }];
    case "lamp.switched":
      return [
        { kind: "audit", fact: { type: "lamp.switched", detail: { colour: event.colour } } },
        { kind: "audit", fact: { type: "plan.decided", detail: { decision: "approved" } } },
      ];
    default:
      return [];
  }
}

export const lampSlice: Slice<LampState, z.infer<typeof Command>, LampEvent, unknown> = {
  name: "lamp",
  state: Lamp,
  command: Command,
  settings: z.unknown(),
  initial: { colour: "off" },
  decide,
  evolve,
  effects: (_state, event) => effectsOf(event),
  describe: {
    cards,
    closedCard,
    waiting: ({ bulb }) =>
      bulb?.state === "broken"
        ? { kind: "approval", id: bulb.id, title: "The lamp in the hall", sinceMs: bulb.sinceMs, deadlineMs: null }
        : undefined,
  },
};

export const lampField: PatchField<z.infer<typeof Colour>> = {
  field: "lampColour",
  schema: Colour,
  requiredScopes: ["operator.write"],
  slice: "lamp",
  toCommand: (colour) => ({ type: "switch", colour }),
};

const bulbField: PatchField<z.infer<typeof Bulbs>> = {
  field: "lampBulb",
  schema: Bulbs,
  requiredScopes: ["operator.approvals"],
  slice: "lamp",
  toCommand: (decision) => ({ type: "decide", ...decision }),
};

const onSession = z.strictObject({ sessionId: SessionId });

function registerMethods(api: PluginApi): void {
  api.methods.register({
    name: "lamp.show",
    scope: "operator.read",
    about: "The colour of a session's lamp.",
    params: onSession,
    result: Lamp,
    async answer({ sessionId }) {
      const session = await api.sessions.read(sessionId);
      return session === undefined
        ? refuse("SESSION_NOT_FOUND", "No such session.")
        : Lamp.parse(session.slices["lamp"]);
    },
  });
  api.methods.register({
    name: "lamp.switch",
    scope: "operator.write",
    about: "Switches a lamp, or tries to switch what is not its own.",
    params: z.strictObject({ ...onSession.shape, colour: Colour, slice: z.string().default("lamp") }),
    result: z.strictObject({ colour: Colour }),
    async answer({ sessionId, colour, slice }, call) {
      const command = slice === "lamp" ? { type: "switch", colour } : { type: "leave" };
      const outcome = await call.apply(sessionId, { slice, command });
      return outcome.ok ? { colour } : { refused: outcome.refusal };
    },
  });
  api.methods.register({
    name: "lamp.break",
    scope: "operator.read",
    about: "Answers with what its own schema does not allow.",
    params: z.strictObject({}),
    result: Lamp,
    answer: async () => ({ colour: "mauve" }) as never,
  });
}

/** Where its worker stands: `fit` is asked for each bulb, and may not answer, as when the process is killed. */
export type Workshop = { fit(work: { id: string; key: string; attempt: number }): Promise<void> };

export const lampWith = (workshop: Workshop) =>
  definePlugin({
    id: "lamp",
    name: "Lamp",
    description: "A lamp in each session.",
    register(api) {
      api.session.registerSlice(lampSlice);
      api.session.registerPatchField(lampField);
      api.session.registerPatchField(bulbField);
      api.session.registerWorker({
        slice: "lamp",
        orders: ["replace"],
        async perform(order, { sessionId, key, attempt }) {
          const id = z.string().parse(order["id"]);
          await workshop.fit({ id, key, attempt });
          await api.sessions.dispatch(sessionId, { type: "fit", id }, { idempotencyKey: key });
          return "done";
        },
      });
      registerMethods(api);
      api.commands.registerCommand({
        name: "lamp",
        description: "Switches the lamp.",
        requiredScopes: ["operator.write"],
        async handler({ args, apply }) {
          const isBroken = args === "broken";
          const outcome = await apply(isBroken ? { type: "break" } : { type: "switch", colour: args });
          if (!outcome.ok) return { refusal: outcome.refusal };
          return { message: `The lamp is ${args}.`, said: [{ line: 0, key: "lit", args: { colour: args } }] };
        },
      });
      api.texts.register(LAMP_TEXTS);
      api.facts.register(LAMP_FACTS);
      api.session.controls.registerControlUiDescriptor({
        id: "lamp",
        surface: "session-header",
        label: "Lamp",
        body: [{ kind: "badge", text: "Lamp" }],
      });
      api.routes.register({
        below: "/plugins/lamp/",
        answer: async ({ path }) => ({ status: 200, body: JSON.stringify({ path }) }),
      });
    },
  });

export const lampPlugin = lampWith({ fit: async () => {} });
