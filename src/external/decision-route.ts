/**
 * The plain HTTP decision API (IG-05): `POST /agents/v1/{call,plan,question,progress,wait}` with a token that may write.
 * Such a token asks, as an agent does; it decides nothing here.
 */
import { z } from "zod";
import type { HttpAnswer, HttpRequest, HttpRoute } from "../http/http-route.ts";
import type { Operator } from "../http/operator.ts";
import { hasScope } from "../protocol/actor.ts";
import {
  CallRequest,
  PlanRequest,
  ProgressRequest,
  QuestionRequest,
  WaitRequest,
} from "../protocol/external/decisions.ts";
import type { Refused } from "../protocol/refusal.ts";
import type { Decisions } from "./decisions.ts";

const BELOW = "/agents/v1/";
const BODY_BYTES_MAX = 1_048_576;
/** Proxies cut longer answers off. */
const HTTP_WAIT_MS_MAX = 50_000;

export type IdentifyBearer = (request: HttpRequest) => Promise<Operator | Refused>;

type Parts = { service(): Promise<Decisions>; identify: IdentifyBearer };

export const createDecisionRoute = ({ service, identify }: Parts): HttpRoute => ({
  takes: (path) => path.startsWith(BELOW),
  methods: ["POST"],
  bodyBytesMax: BODY_BYTES_MAX,
  async answer(request) {
    const operator = await identify(request);
    if ("refused" in operator)
      return told(operator.refused.code === "RATE_LIMITED" ? 429 : 401, operator.refused.message);
    if (!hasScope(operator.scopes, "operator.write")) return told(403, "This needs the scope operator.write.");
    if (request.headers.origin !== undefined) return told(403, "Programs ask here, not pages.");
    const name = request.path.slice(BELOW.length);
    const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
    if (shape === undefined) return told(404, "There is nothing here.");
    const parsed = shape.safeParse(json(request.body));
    if (!parsed.success) return told(400, z.prettifyError(parsed.error).slice(0, 1_000));
    return { status: 200, body: JSON.stringify(await ask(name, parsed.data, await service())) };
  },
});

type Ask = { [Name in "call" | "plan" | "question" | "progress" | "wait"]: Parameters<Decisions[Name]>[0] };

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  call: CallRequest,
  plan: PlanRequest,
  question: QuestionRequest,
  progress: ProgressRequest,
  wait: WaitRequest,
};

function ask(name: string, given: unknown, service: Decisions): Promise<object> {
  const asking = { signal: new AbortController().signal };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the shape of the same name
  const asked = given as Ask[keyof Ask] & { waitMs?: number };
  const bounded = asked.waitMs === undefined ? asked : { ...asked, waitMs: Math.min(asked.waitMs, HTTP_WAIT_MS_MAX) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- likewise, and only names of shapes come here
  const work = service[name as keyof Ask] as (request: typeof bounded, how: typeof asking) => Promise<object>;
  return work(bounded, asking);
}

function json(body: Buffer): unknown {
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
