/** The shape of a scenario: settings, people, what the model answers, and what happens step by step. */
import { z } from "zod";
import { Scope } from "../../protocol/actor.ts";
import { JsonObject } from "../../protocol/json.ts";

const STEPS_MAX = 200;
const NAME = /^[A-Za-z][\w-]{0,39}$/;
const text = z.string().max(20_000);
const name = z.string().regex(NAME, "a letter, then letters, digits, - and _");
const someTexts = z.union([text, z.array(text)]).transform((given) => [given].flat());

/** `2s`, `10m`, `3h`, `1d`, in milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}(?:ms|s|m|h|d)$/, "a number with ms, s, m, h or d")
  .transform((given) => Number.parseInt(given, 10) * (UNITS_MS[given.replace(/^\d+/, "")] ?? 1));
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const ModelStep = z.strictObject({
  say: text.optional(),
  calls: z.array(z.strictObject({ tool: z.string(), args: JsonObject.default({}) })).optional(),
  /** The provider fails; `retry`: in a way that is tried again. */
  fail: z.strictObject({ message: text, retry: z.boolean().default(false) }).optional(),
  /** It answers only after the gateway was killed, so never in this life of it. */
  hangs: z.boolean().optional(),
});
export type ModelStep = z.infer<typeof ModelStep>;
const model = z.array(ModelStep).max(STEPS_MAX);

/** All that is named must be so; a text must be contained, a missing file is null. */
const Expectation = z.strictObject({
  mode: z.string().optional(),
  phase: z.string().optional(),
  title: text.optional(),
  /** Of the plan's steps, in their order. */
  steps: z.array(z.string()).optional(),
  /** How often each event was seen in the session. */
  events: z.record(z.string(), z.int().nonnegative()).optional(),
  files: z.record(z.string(), text.nullable()).optional(),
  /** The last result of a tool. */
  result: z
    .strictObject({ tool: z.string(), status: z.string().optional(), contains: someTexts.optional() })
    .optional(),
  /** In what the model received last. */
  input: someTexts.optional(),
  notInput: someTexts.optional(),
  /** In the system prompt of the last request. */
  prompt: someTexts.optional(),
  notPrompt: someTexts.optional(),
  /** In the lines for people. */
  notice: someTexts.optional(),
  /** How often the model was asked since the gateway began or began again. */
  requests: z.int().nonnegative().optional(),
  /** What waits for a person; null: nothing. */
  waiting: z.string().nullable().optional(),
  auditIntact: z.boolean().optional(),
});
export type Expectation = z.infer<typeof Expectation>;

const by = { as: name.optional(), in: name.optional() };
/** `reply` must be in the answer; `refused` is the code that it must be refused with. */
const answered = { reply: someTexts.optional(), refused: z.string().optional() };

export const ScenarioStep = z.union([
  z.strictObject({ say: text, ...by, ...answered }),
  /** A command, as commands.run takes it. */
  z.strictObject({ run: text, ...by, ...answered }),
  /** What the card shows beside one of its actions, typed: approve, approve-allowing-edits, … */
  z.strictObject({ act: z.string(), ...by, ...answered }),
  /** `sessions.patch`; "$approvalId", "$planId", "$questionId" and "$code" are of what waits. */
  z.strictObject({ patch: JsonObject, ...by, ...answered }),
  z.strictObject({ call: z.string(), params: JsonObject.default({}), ...by, ...answered }),
  z.strictObject({ until: z.string(), times: z.int().min(1).default(1), ...by }),
  /** Everything that can happen without time passing has happened. */
  z.strictObject({ rest: z.literal(true), ...by }),
  /** Keeps a value of what waits under a name, to be used as "$name" later. */
  z.strictObject({ keep: z.record(name, z.enum(["approvalId", "planId", "questionId", "code"])), ...by }),
  z.strictObject({ expect: Expectation, ...by }),
  z.strictObject({ advance: duration }),
  z.strictObject({ leap: duration }),
  z.strictObject({ write: z.record(z.string(), text) }),
  z.strictObject({ restart: z.strictObject({ model: model.optional(), kill: z.boolean().default(false) }) }),
  z.strictObject({ open: name }),
]);
export type ScenarioStep = z.infer<typeof ScenarioStep>;

export const Scenario = z.strictObject({
  name: z.string().min(1).max(200),
  about: text.optional(),
  /** The rules that it plays, for whoever reads it. */
  rules: z.array(z.string()).default([]),
  settings: JsonObject.default({}),
  people: z.record(name, z.strictObject({ scopes: z.array(Scope) })).default({}),
  /** Files that are in the workspace from the beginning. */
  files: z.record(z.string(), text).default({}),
  model: model.default([]),
  steps: z.array(ScenarioStep).min(1).max(STEPS_MAX),
});
export type Scenario = z.infer<typeof Scenario>;
