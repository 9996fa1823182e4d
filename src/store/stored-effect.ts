/** A row of the outbox as it is read; versions before schema 3 called orders of slices `carry-out`. */
import type { OutboxEffect, SliceWork } from "../core/effect.ts";
import { fromStored } from "./stored-json.ts";

type EarlierWork = Omit<SliceWork, "kind"> & { kind: "carry-out" };

export function storedEffect(body: string): OutboxEffect {
  const effect = fromStored<OutboxEffect | EarlierWork>(body);
  return effect.kind === "carry-out" ? { ...effect, kind: "perform" } : effect;
}
