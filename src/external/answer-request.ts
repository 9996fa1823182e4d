/** One request of the plain HTTP decision API: its shape, and who answers it. Loaded with the first one. */
import { z } from "zod";
import {
  CallRequest,
  PlanRequest,
  ProgressRequest,
  QuestionRequest,
  WaitRequest,
} from "../protocol/external/decisions.ts";
import type { Decisions } from "./decisions.ts";

/** Proxies cut longer answers off. */
const HTTP_WAIT_MS_MAX = 50_000;

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  call: CallRequest,
  plan: PlanRequest,
  question: QuestionRequest,
  progress: ProgressRequest,
  wait: WaitRequest,
};

type Ask = { [Name in "call" | "plan" | "question" | "progress" | "wait"]: Parameters<Decisions[Name]>[0] };

/** A number: the status to refuse with, and why. */
export async function answerRequest(
  name: string,
  body: unknown,
  service: Decisions,
): Promise<{ answer: object } | { status: 400 | 404; message: string }> {
  const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (shape === undefined) return { status: 404, message: "There is nothing here." };
  const parsed = shape.safeParse(body);
  if (!parsed.success) return { status: 400, message: z.prettifyError(parsed.error).slice(0, 1_000) };
  return { answer: await ask(name, parsed.data, service) };
}

function ask(name: string, given: unknown, service: Decisions): Promise<object> {
  const asking = { signal: new AbortController().signal };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by the shape of the same name
  const asked = given as Ask[keyof Ask] & { waitMs?: number };
  const bounded = asked.waitMs === undefined ? asked : { ...asked, waitMs: Math.min(asked.waitMs, HTTP_WAIT_MS_MAX) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- likewise, and only names of shapes come here
  const work = service[name as keyof Ask] as (request: typeof bounded, how: typeof asking) => Promise<object>;
  return work(bounded, asking);
}
