/** Who a program is that sends its token in the header of a plain request. */
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { HttpRequest } from "./http-route.ts";
import type { Operator } from "./operator.ts";
import { identify, type IdentifyParts } from "./socket/handshake.ts";

export async function identifyBearer(
  { headers, peer }: Pick<HttpRequest, "headers" | "peer">,
  parts: Omit<IdentifyParts, "peer">,
): Promise<Operator | Refused> {
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? "")?.[1];
  if (secret === undefined) return refuse("UNAUTHENTICATED", "Send a token: Authorization: Bearer …");
  return identify(secret, { ...parts, peer });
}
