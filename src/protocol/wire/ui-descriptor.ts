/**
 * What a plugin contributes to a page: data, never code. A text may name a field of the plugin's projection for the
 * session instead of being written out: `{ path: "deploy.status" }`.
 */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { Scope } from "../actor.ts";

const CHILDREN_MAX = 50;
const TEXT_CHARS_MAX = 2_000;

const UiSlot = z.enum(["session-header", "composer", "approval-card", "plan-pane", "settings", "dashboard"]);
export type UiSlot = z.infer<typeof UiSlot>;

const path = z.string().regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){0,7}$/, "names joined by dots");
/** Written out, or taken from the projection. */
const UiText = lazySchema(() => z.union([z.string().max(TEXT_CHARS_MAX), z.strictObject({ path })]));
export type UiText = z.infer<typeof UiText>;

const Tone = z.enum(["neutral", "info", "good", "warning", "danger"]);
/** Shown only while the field is true, not empty and not zero; with `equals`, while it has that value. */
const Condition = lazySchema(() =>
  z.strictObject({ path, equals: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional() }),
);
const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
const when = { when: Condition.optional() };

const UiField = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("text"),
      name,
      label: UiText,
      required: z.boolean().optional(),
      multiline: z.boolean().optional(),
      maxChars: z.int().min(1).max(10_000).optional(),
    }),
    z.strictObject({
      type: z.literal("number"),
      name,
      label: UiText,
      required: z.boolean().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
    }),
    z.strictObject({ type: z.literal("boolean"), name, label: UiText }),
    z.strictObject({
      type: z.literal("choice"),
      name,
      label: UiText,
      required: z.boolean().optional(),
      options: z
        .array(z.strictObject({ value: z.string().max(200), label: UiText }))
        .min(1)
        .max(CHILDREN_MAX),
    }),
  ]),
);
export type UiField = z.infer<typeof UiField>;

/** A button: runs a session action of the same plugin. */
const action = lazySchema(() =>
  z.strictObject({
    kind: z.literal("action"),
    action: name,
    label: UiText,
    tone: Tone.optional(),
    /** Asked before it runs. */
    confirm: UiText.optional(),
    ...when,
  }),
);
const leaf = [
  z.strictObject({ kind: z.literal("text"), text: UiText, tone: Tone.optional(), ...when }),
  z.strictObject({ kind: z.literal("badge"), text: UiText, tone: Tone.optional(), ...when }),
  z.strictObject({
    kind: z.literal("facts"),
    facts: z.array(z.strictObject({ label: UiText, value: UiText })).max(CHILDREN_MAX),
    ...when,
  }),
  z.strictObject({
    kind: z.literal("table"),
    columns: z
      .array(z.strictObject({ label: UiText, field: name }))
      .min(1)
      .max(12),
    /** A list of objects in the projection. */
    rows: z.strictObject({ path }),
    empty: UiText.optional(),
    ...when,
  }),
  z.strictObject({
    kind: z.literal("form"),
    action: name,
    submit: UiText,
    fields: z.array(UiField).min(1).max(CHILDREN_MAX),
    ...when,
  }),
  action,
] as const;
const UiLeaf = lazySchema(() => z.discriminatedUnion("kind", leaf));
export type UiLeaf = z.infer<typeof UiLeaf>;

const UiElement = lazySchema(() =>
  z.discriminatedUnion("kind", [
    ...leaf,
    z.strictObject({
      kind: z.literal("card"),
      title: UiText.optional(),
      children: z.array(UiLeaf).max(CHILDREN_MAX),
      ...when,
    }),
  ]),
);
export type UiElement = z.infer<typeof UiElement>;

export const UiDescriptor = lazySchema(() =>
  z.strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
    surface: UiSlot,
    label: z.string().trim().min(1).max(200),
    /** Who sees it; absent: everyone who may read. */
    requiredScopes: z.array(Scope).max(4).optional(),
    body: z.array(UiElement).max(CHILDREN_MAX),
  }),
);
export type UiDescriptor = z.infer<typeof UiDescriptor>;
