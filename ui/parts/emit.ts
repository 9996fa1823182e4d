/** Dispatches an event about what a person did. Composed, so that it leaves shadow roots. */
export function emit(from: EventTarget, type: `hp-${string}`, detail?: unknown): void {
  from.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
}
