/**
 * A trusted plugin's own machine, as far as it reaches beyond itself: what it queues for the agent stands under its own
 * name, below the house's texts and in the envelope of a plugin's words, and it cancels nothing of anybody else's; its
 * cards are its own and marked as a plugin's, what they say has the keys of its own texts, and what can be done on them goes
 * to its own fields; its facts stand under its id, and it refuses with codes and texts of its own.
 */
import { z } from "zod";
import type { Effect } from "../../core/effect.ts";
import type { AnySlice, Waiting } from "../../core/slice.ts";
import type { Card, CardAction } from "../../protocol/card/card.ts";
import { CARDS_MAX, CardSchema } from "../../protocol/card/card-schema.ts";
import { Json, type JsonObject } from "../../protocol/json.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import { ownFactType } from "./own-facts.ts";
import { type Speaker, withOwnLines } from "./own-lines.ts";
import { ownAnswer, ownCode } from "./own-refusal.ts";
import { pluginWords } from "../state/plugin-injection.ts";

const PLUGIN_PRIORITY_MAX = 9;
const ID_CHARS_MAX = 128;
const CONTROLS_CHARS_MAX = 4_096;

type Owner = {
  pluginId: string;
  /** The fields of `sessions.patch` that are this plugin's. */
  fields(): ReadonlySet<string>;
  /** The names of its own commands. */
  commands(): ReadonlySet<string>;
  failed(error: unknown): void;
  /** Whose texts say what its lines mean. */
  speaker(): Speaker;
};

export function ownedSlice({ pluginId, ...owner }: Owner, slice: AnySlice): AnySlice {
  const own = (effects: Effect[]): Effect[] => effects.flatMap((effect) => ownEffect(effect, { pluginId, ...owner }));
  const { on = {}, describe = {} } = slice;
  const { refusal, peerEffects } = on;
  const { mandate: _notTheirs, ...shown } = describe; // no plugin from outside says that a person signed a run
  const { cards, closedCard, controls, waiting } = shown;
  const mine = (made: () => Card[]): Card[] => ownCards(made, { slice: slice.name, pluginId, ...owner });
  return {
    ...slice,
    decide: (state, command, context) => ownAnswer(slice.decide(state, command, context), owner.speaker()),
    effects: (state, event, context) => own(slice.effects(state, event, context)),
    on: {
      ...on,
      ...(refusal === undefined ? {} : { refusal: (state, why, context) => own(refusal(state, why, context)) }),
      ...(peerEffects === undefined
        ? {}
        : { peerEffects: (state, fact, context) => own(peerEffects(state, fact, context)) }),
    },
    describe: {
      ...shown,
      ...(waiting === undefined ? {} : { waiting: (state) => ownWaiting(waiting(state), pluginId) }),
      ...(cards === undefined ? {} : { cards: (state, context) => mine(() => cards(state, context)) }),
      ...(closedCard === undefined
        ? {}
        : { closedCard: (card, event, earlier) => mine(() => [closedCard(card, event, earlier) ?? []].flat())[0] }),
      ...(controls === undefined
        ? {}
        : { controls: (state, context) => ownControls(() => controls(state, context), owner) }),
    },
  };
}

function ownEffect(effect: Effect, { pluginId, speaker }: Pick<Owner, "pluginId" | "speaker">): Effect[] {
  if (effect.kind === "cancel-injections") return [];
  if (effect.kind === "notify") return [withOwnLines(effect, speaker())];
  if (effect.kind === "audit")
    return [{ kind: "audit", fact: { ...effect.fact, type: ownFactType(effect.fact.type, pluginId) } }];
  if (effect.kind !== "inject") return [effect];
  const { id, text, priority, ...rest } = effect.injection;
  const kind = pluginSlice(pluginId);
  const injection = {
    ...rest,
    id: (id.startsWith(`${kind}:`) ? id : `${kind}:${id}`).slice(0, ID_CHARS_MAX),
    kind,
    text: pluginWords(pluginId, text),
    priority: Math.min(priority, PLUGIN_PRIORITY_MAX),
  };
  return [{ kind: "inject", injection }];
}

/** In the inbox under its own name: the kind alone would say that a plan waits. */
const ownWaiting = (waits: Waiting | undefined, pluginId: string): Waiting | undefined =>
  waits === undefined ? undefined : { ...waits, title: `${pluginId}: ${waits.title}` };

type Checked = Owner & { slice: string };

/** A card that is not as it should be is not shown: better none than one that a person signs by mistake. */
function ownCards(made: () => Card[], { pluginId, slice, fields, commands, failed, speaker }: Checked): Card[] {
  try {
    return made()
      .slice(0, CARDS_MAX)
      .map((card) =>
        ownCard(withOwnLines(CardSchema.parse(card), speaker()), {
          pluginId,
          slice,
          fields: fields(),
          commands: commands(),
        }),
      );
  } catch (error) {
    failed(error);
    return [];
  }
}

/** Plain values of a bounded size: they go to every client with the session. */
function ownControls(made: () => JsonObject | undefined, { failed }: Pick<Owner, "failed">): JsonObject | undefined {
  try {
    const controls = z.record(z.string(), Json).optional().parse(made());
    if (JSON.stringify(controls ?? {}).length <= CONTROLS_CHARS_MAX) return controls;
    throw new Error(`the controls are longer than ${CONTROLS_CHARS_MAX} characters`);
  } catch (error) {
    failed(error);
    return undefined;
  }
}

type Own = { pluginId: string; slice: string; fields: ReadonlySet<string>; commands: ReadonlySet<string> };

function ownCard(card: Card, { pluginId, slice, fields, commands }: Own): Card {
  const foreign = card.actions.find(({ patch }) => !fields.has(patch.field));
  if (foreign !== undefined)
    throw new Error(`the card ${card.id} acts on ${foreign.patch.field}, which is not its own`);
  // the terminal says "type …" beside the plugin's own label, and `/plan accept` would be no lamp's
  const lent = card.actions.find(({ command }) => command !== undefined && !commands.has(commandIn(command)));
  if (lent !== undefined) throw new Error(`the card ${card.id} is typed as ${lent.command}, which is not its own`);
  const actions = card.actions.map((action) => ({ ...action, ...ownBlock(action, pluginId) }));
  const own = { ...card, slice, plugin: pluginId, actions };
  if (own.kind === "approval") delete own.planId; // it is no plan, and `plans.get` has none of its
  return own;
}

const ownBlock = ({ blocked }: CardAction, pluginId: string): Pick<CardAction, "blocked"> =>
  blocked === undefined ? {} : { blocked: { ...blocked, code: ownCode(blocked.code, pluginId) } };

const commandIn = (typed: string): string => /^\/(\S+)/.exec(typed)?.[1] ?? "";
