/**
 * `POST /v1/chat/completions` and `GET /v1/models` in OpenAI's form, for programs that speak nothing else (GW-01). The model
 * is one of our agents, behind the same gate: what it plans waits for a person elsewhere, and nothing is decided here.
 *
 *   Holdpoint-Session: ses_…   goes on in that session; every answer names its session in the same header
 */
import type { Config } from "../../config/config.ts";
import { bodyOf, type IdentifyBearer, refuseStranger } from "../../external/decision-route.ts";
import type { HttpAnswer, HttpRequest, HttpRoute } from "../../http/http-route.ts";
import { SURFACES } from "../../http/operator.ts";
import type { AnswerParts } from "./answer-completion.ts";

const COMPLETIONS = "/v1/chat/completions";
const MODELS = "/v1/models";
const BODY_BYTES_MAX = 4 * 1_048_576;

export type ChatApiParts = AnswerParts & { config(): Pick<Config, "agents"> };

export const createChatApiRoutes = (parts: ChatApiParts, identify: IdentifyBearer): HttpRoute[] => [
  {
    takes: (path) => path === COMPLETIONS,
    methods: ["POST"],
    bodyBytesMax: BODY_BYTES_MAX,
    answer: (request) => completed(request, parts, identify),
  },
  {
    takes: (path) => path === MODELS,
    methods: ["GET"],
    bodyBytesMax: 0,
    async answer(request) {
      const stranger = await refuseStranger(request, identify);
      if (stranger !== undefined) return stranger;
      const ids = new Set(["main", ...parts.config().agents.list.map(({ id }) => id)]);
      const data = [...ids].map((id) => ({ id, object: "model", created: 0, owned_by: "holdpoint" }));
      return { status: 200, body: JSON.stringify({ object: "list", data }) };
    },
  },
];

async function completed(request: HttpRequest, parts: ChatApiParts, identify: IdentifyBearer): Promise<HttpAnswer> {
  const stranger = await refuseStranger(request, identify);
  if (stranger !== undefined) return stranger;
  const operator = await identify(request);
  if ("refused" in operator)
    return { status: 401, body: JSON.stringify({ error: { message: operator.refused.message } }) };
  const { answerCompletion } = await import("./answer-completion.ts");
  const actor = { kind: "operator" as const, ...operator, surface: operator.surface ?? SURFACES.token };
  const named = request.headers["holdpoint-session"];
  return answerCompletion(
    { body: bodyOf(request), named: typeof named === "string" ? named : undefined, actor },
    parts,
  );
}
