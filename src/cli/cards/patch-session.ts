/** Carries an action of a card out: one field of `sessions.patch`, whichever plugin it belongs to. */
import type { SessionId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { ParamsOf, ResultOf } from "../../all-methods.ts";
import type { Link } from "../chat/link.ts";

export async function patchSession(
  link: Link,
  sessionId: SessionId,
  patch: JsonObject,
): Promise<ResultOf<"sessions.patch">> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway made the field and its value, and parses them again
  return link.call("sessions.patch", { sessionId, ...patch } as unknown as ParamsOf<"sessions.patch">);
}
