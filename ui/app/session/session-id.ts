/** The session's id in an address of the page. */
import type { SessionId } from "../../../src/protocol/ids.ts";

const SHAPE = /^ses_[A-Za-z0-9_-]{1,60}$/;

export function sessionIdIn(text: string | undefined): SessionId | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parser: the shape was just checked
  return text !== undefined && SHAPE.test(text) ? (text as SessionId) : undefined;
}
