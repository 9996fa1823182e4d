/** What the api in a plugin's process is built on: its end of the wire. */
import type { Json } from "../../../protocol/json.ts";
import type { FromGuest, Registration } from "../guest-messages.ts";

export type Within = { n: number; signal: AbortSignal };
/** A function of the plugin, behind the translation of its arguments and result. */
export type GuestFunction = (args: Json, within: Within) => unknown;

export type Desk = {
  register(registration: Registration, run?: GuestFunction): void;
  /** A function beside the one that a registration names. */
  serve(key: string, run: GuestFunction): void;
  forget(key: string): void;
  ask(op: string, args: unknown): Promise<Json | undefined>;
  tell(message: FromGuest): void;
};

/** The value as JSON; one that JSON cannot express fails here, with the plugin's own stack. */
export function jsonOf(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is JSON
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
