/** The parts of a descriptor, as types: the gateway's schema made them, and a page carries no schema. */
import type { UiDescriptor } from "../state/descriptors.ts";

export type SlotName = UiDescriptor["surface"];
export type UiElement = UiDescriptor["body"][number];
export type UiLeaf = Exclude<UiElement, { kind: "card" }>;
export type LeafOf<Kind extends UiLeaf["kind"]> = Extract<UiLeaf, { kind: Kind }>;
export type UiText = LeafOf<"text">["text"];
export type UiField = LeafOf<"form">["fields"][number];
export type Tone = NonNullable<LeafOf<"text">["tone"]>;
