/**
 * Names and ids as every vendor takes them. A transcript may hold what another model or the demo agent wrote, so what
 * does not fit is replaced by a name made from it: the same one each time, and back again for the tools on offer.
 */
import { hash } from "node:crypto";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const CALL_ID = /^[A-Za-z0-9_-]{1,40}$/;

export const wireCallId = (callId: string): string =>
  CALL_ID.test(callId) ? callId : `call_${hash("sha256", callId).slice(0, 24)}`;

export const wireName = (name: string): string =>
  NAME.test(name)
    ? name
    : `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 40)}_${hash("sha256", name).slice(0, 12)}`.replace(
        /^[^A-Za-z_]/,
        "_",
      );

/** From what the model calls a tool to what we call it; a name that we did not give it stays as it is. */
export function ownNames(tools: readonly { name: string }[]): (name: string) => string {
  const own = new Map(tools.map(({ name }) => [wireName(name), name]));
  return (name) => own.get(name) ?? name;
}
