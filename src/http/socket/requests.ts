/** The requests under way on one connection: each is answered once, in whatever order they finish. */
import { type Refusal, RefusalError, refuse, type Refused } from "../../protocol/refusal.ts";
import type { Caller } from "../method-table.ts";
import type { Outbound } from "./outbound.ts";
import type { RateLimit } from "../rate-limit.ts";
import type { Answer, Router } from "../router.ts";

export const REQUESTS_UNDER_WAY_MAX = 4_096;

export type Request = { id: string; method: string; params?: unknown };

/** Keeps the cause where only the operator of the machine reads it; answers with the reference it is kept under. */
export type Report = (error: unknown, method: string) => string;

export type Requests = {
  /** Why this request is not taken, if it is not. */
  refusal(id: string): Refused | undefined;
  answer(request: Request, caller: Caller): void;
  /** From now on every request is answered with this. */
  stopWith(refusal: Refusal): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
};

export function createRequests(parts: { route: Router; out: Outbound; rate: RateLimit; report: Report }): Requests {
  const { route, out, rate, report } = parts;
  const underWay = new Set<string>();
  const waiting: (() => void)[] = [];
  let stopped: Refusal | undefined;

  function reply(id: string, result: Answer): void {
    if ("refused" in result) out.refuse(id, result.refused);
    else out.answer(id, result);
  }

  function settle(id: string, result: Answer): void {
    underWay.delete(id);
    reply(id, result);
    if (underWay.size === 0) for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    refusal(id) {
      if (stopped !== undefined) return { refused: stopped };
      if (!rate.take()) return { refused: { ...TOO_FAST, details: { retryAfterMs: rate.waitMs() } } };
      if (underWay.has(id)) return refuse("INVALID_REQUEST", "id: another request of this id is still under way");
      return underWay.size < REQUESTS_UNDER_WAY_MAX ? undefined : { refused: TOO_MANY };
    },
    answer({ id, method, params }, caller) {
      const answered = attempt(() => route(method, params, caller));
      if (!(answered instanceof Promise)) return reply(id, answered);
      underWay.add(id);
      answered
        .then((result) => settle(id, result)) // an answer that cannot be written is a failure, too
        .catch((error: unknown) => settle(id, { refused: refusalOf(error, () => report(error, method)) }));
    },
    stopWith: (refusal) => void (stopped = refusal),
    settled: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** A handler that throws before it waits has failed like one that throws after. */
function attempt(work: () => Answer | Promise<Answer>): Answer | Promise<Answer> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** An error that carries its refusal is no bug: what failed is outside, and was reported there. */
export const refusalOf = (error: unknown, report: () => string): Refusal =>
  error instanceof RefusalError ? error.refusal : internal(report());

/** What a client reads of a bug: the reference under which it was logged, and nothing else. */
const internal = (reference: string): Refusal => ({
  code: "INTERNAL",
  message: "Something went wrong on our side. The log of the gateway has the cause under this reference.",
  details: { reference },
});

const TOO_FAST: Refusal = {
  code: "RATE_LIMITED",
  message: "Too many requests in this second. Send them slower.",
  retry: true,
};
const TOO_MANY: Refusal = {
  code: "RATE_LIMITED",
  message: "Too many requests wait for an answer on this connection. Wait for some before sending more.",
  retry: true,
  details: { underWayMax: REQUESTS_UNDER_WAY_MAX },
};
