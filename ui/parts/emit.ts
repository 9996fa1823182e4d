/** Tells the elements around this one what a person did. Composed, so that it is heard outside of shadow roots too. */
export function emit(from: EventTarget, type: `hp-${string}`, detail?: unknown): void {
  from.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}
