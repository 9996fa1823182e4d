/** Cards on the wire, and as a plugin hands them in: the schema of `card.ts`, with a limit on everything. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { By, Scope } from "../actor.ts";
import { Json } from "../json.ts";
import { LocalizedLines } from "../localized/localized-lines.ts";
import {
  APPROVAL_STATES,
  type Card,
  CARD_STEP_STATUSES,
  CARD_STEPS_MAX,
  GRANT_STATES,
  NOTICE_STATES,
  PROOF_STANDINGS,
  QUESTION_STATES,
} from "./card.ts";

const TEXT_CHARS_MAX = 16_384;
/** Of what a person may type into it: a whole plan. */
const TYPED_CHARS_MAX = 65_536;
const LINE_CHARS_MAX = 4_096;
const NAME_CHARS_MAX = 128;
const ACTIONS_MAX = 20;
const OPTIONS_MAX = 20;
const PEOPLE_MAX = 100;
const ITEMS_MAX = 200;
const SECTIONS_MAX = 20;
const WARNINGS_MAX = 10;
/** Of one slice in one session. */
export const CARDS_MAX = 20;

const name = z.string().min(1).max(NAME_CHARS_MAX);
const line = z.string().max(LINE_CHARS_MAX);
const text = z.string().max(TEXT_CHARS_MAX);
export const CardTextSchema = z.strictObject({ text, said: LocalizedLines.exactOptional() });
const option = lazySchema(() => z.strictObject({ id: name, label: line, description: line.exactOptional() }));
const chars = z.int().nonnegative().max(TYPED_CHARS_MAX);

const input = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("none") }),
    z.strictObject({ kind: z.literal("text"), field: name, charsMin: chars, charsMax: chars, label: CardTextSchema }),
    z.strictObject({
      kind: z.literal("option"),
      field: name,
      options: z.array(option).max(OPTIONS_MAX),
      freeText: z.strictObject({ charsMax: chars, label: CardTextSchema }).exactOptional(),
    }),
    z.strictObject({ kind: z.literal("steps"), field: name }),
  ]),
);

export const CardActionSchema = lazySchema(() =>
  z.strictObject({
    id: name,
    label: CardTextSchema,
    hint: CardTextSchema.exactOptional(),
    tone: z.enum(["yes", "no", "other"]),
    scope: Scope,
    input,
    patch: z.strictObject({ field: name, value: Json }),
    command: name.exactOptional(),
    approvers: z.array(name).max(PEOPLE_MAX).exactOptional(),
    signedBy: z.array(By).max(PEOPLE_MAX).exactOptional(),
    blocked: z.strictObject({ code: name, text: CardTextSchema }).exactOptional(),
  }),
);

const base = {
  id: name,
  slice: name,
  plugin: name.exactOptional(),
  heading: CardTextSchema,
  title: text,
  status: CardTextSchema,
  warnings: z.array(CardTextSchema).max(WARNINGS_MAX).exactOptional(),
  sinceMs: z.int(),
  deadline: z
    .strictObject({ atMs: z.int(), pausedUntilMs: z.int().exactOptional(), readBy: By.exactOptional() })
    .exactOptional(),
  outcome: z
    .strictObject({
      by: By.exactOptional(),
      atMs: z.int().exactOptional(),
      words: text.exactOptional(),
      optionId: name.exactOptional(),
    })
    .exactOptional(),
  escalation: z.int().positive().exactOptional(),
  actions: z.array(CardActionSchema).max(ACTIONS_MAX),
};

const entries = z.array(line).max(ITEMS_MAX).optional();

export const CardStepSchema = lazySchema(() =>
  z.strictObject({
    text: line,
    status: z.enum(CARD_STEP_STATUSES),
    activeForm: line.exactOptional(),
    criteria: z
      .array(
        z.strictObject({
          text: line,
          verified: z.boolean(),
          proof: line.exactOptional(),
          standing: z.enum(PROOF_STANDINGS).exactOptional(),
          seen: line.exactOptional(),
        }),
      )
      .max(ITEMS_MAX),
    after: z.array(z.int().positive()).max(ITEMS_MAX).exactOptional(),
    scope: z.strictObject({ paths: entries, commands: entries, hosts: entries, tools: entries }).exactOptional(),
  }),
);

const section = lazySchema(() =>
  z.strictObject({
    id: name,
    heading: CardTextSchema,
    text: z.string().max(65_536).exactOptional(),
    items: z.array(line).max(ITEMS_MAX).exactOptional(),
    pairs: z
      .array(z.strictObject({ text: line, answer: line }))
      .max(ITEMS_MAX)
      .exactOptional(),
  }),
);

const approval = lazySchema(() =>
  z.strictObject({
    ...base,
    kind: z.literal("approval"),
    state: z.enum(APPROVAL_STATES),
    planId: name.exactOptional(),
    revision: z.int().positive().exactOptional(),
    digest: name.exactOptional(),
    editedBy: By.exactOptional(),
    job: z.strictObject({ id: z.string(), name: z.string(), ownedBy: By.exactOptional() }).exactOptional(),
    steps: z.array(CardStepSchema).max(CARD_STEPS_MAX),
    sections: z.array(section).max(SECTIONS_MAX).exactOptional(),
    signing: z
      .strictObject({
        quorum: z.int().positive(),
        signatures: z.array(z.strictObject({ by: By, atMs: z.int(), allowsEdits: z.boolean() })).max(PEOPLE_MAX),
        missing: z.array(name).max(PEOPLE_MAX),
      })
      .exactOptional(),
    notesOpen: z.int().nonnegative(),
    notesAnswered: z.int().positive().exactOptional(),
    blockedBy: z
      .union([z.array(z.strictObject({ id: name, title: line })).max(ITEMS_MAX), z.literal("unknown")])
      .exactOptional(),
  }),
);

const question = lazySchema(() =>
  z.strictObject({
    ...base,
    kind: z.literal("question"),
    state: z.enum(QUESTION_STATES),
    questionId: name,
    question: text,
    options: z.array(option).max(OPTIONS_MAX),
    freeText: z.boolean(),
  }),
);

const grant = lazySchema(() =>
  z.strictObject({
    ...base,
    kind: z.literal("grant"),
    state: z.enum(GRANT_STATES),
    questionId: z.string().max(NAME_CHARS_MAX),
    call: z.strictObject({ tool: name, folder: line, shown: text, rule: name, matched: line }),
    why: CardTextSchema,
    grantId: name.exactOptional(),
    untilMs: z.int().exactOptional(),
  }),
);

const notice = lazySchema(() =>
  z.strictObject({
    ...base,
    kind: z.literal("notice"),
    state: z.enum(NOTICE_STATES),
    level: z.enum(["info", "warning"]),
    remindsOf: name.exactOptional(),
  }),
);

export const CardSchema: z.ZodType<Card> = lazySchema(() =>
  z.discriminatedUnion("kind", [approval, question, grant, notice]),
);
