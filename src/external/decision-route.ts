/**
 * The plain HTTP decision API (IG-05): `POST /agents/v1/{call,plan,question,progress,wait}` with a token that may write.
 * Such a token asks, as an agent does; it decides nothing here.
 */
import type { HttpAnswer, HttpRequest, HttpRoute } from "../http/http-route.ts";
import type { Operator } from "../http/operator.ts";
import { hasScope } from "../protocol/actor.ts";
import type { Refused } from "../protocol/refusal.ts";
import type { Decisions } from "./decisions.ts";

const BELOW = "/agents/v1/";
const BODY_BYTES_MAX = 1_048_576;

export type IdentifyBearer = (request: HttpRequest) => Promise<Operator | Refused>;

type Parts = { service(): Promise<Decisions>; identify: IdentifyBearer };

export const createDecisionRoute = ({ service, identify }: Parts): HttpRoute => ({
  takes: (path) => path.startsWith(BELOW),
  methods: ["POST"],
  bodyBytesMax: BODY_BYTES_MAX,
  async answer(request) {
    const stranger = await refuseStranger(request, identify);
    if (stranger !== undefined) return stranger;
    const { answerRequest } = await import("./answer-request.ts");
    const answered = await answerRequest(request.path.slice(BELOW.length), bodyOf(request), await service());
    if ("answer" in answered) return { status: 200, body: JSON.stringify(answered.answer) };
    return told(answered.status, answered.message);
  },
});

/** Undefined: a program whose token may write. */
export async function refuseStranger(request: HttpRequest, identify: IdentifyBearer): Promise<HttpAnswer | undefined> {
  const operator = await identify(request);
  if ("refused" in operator) {
    return told(operator.refused.code === "RATE_LIMITED" ? 429 : 401, operator.refused.message);
  }
  if (!hasScope(operator.scopes, "operator.write")) return told(403, "This needs the scope operator.write.");
  return request.headers.origin === undefined ? undefined : told(403, "Programs ask here, not pages.");
}

/** Undefined: no JSON. */
export function bodyOf({ body }: Pick<HttpRequest, "body">): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

const told = (status: number, message: string): HttpAnswer => ({
  status,
  body: JSON.stringify({ error: { message } }),
  ...(status === 401 ? { headers: { "www-authenticate": "Bearer" } } : {}),
});
