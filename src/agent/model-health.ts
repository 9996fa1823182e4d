/**
 * What the gateway remembers of models that did not answer, so that a request does not spend its retries on one that
 * failed a moment ago.
 *
 *   well ──failed──▶ resting (30 s, then twice as long each time) ──time is up──▶ probe: one request, one attempt
 *    ▲                   ▲                                                          │
 *    └───── answered ────┼──────────────────────────────────────────────────────────┤
 *                        └──────────────────────── failed ──────────────────────────┘
 *
 * Only what may pass by itself is remembered: a missing key or a refused request fails at once and costs no patience.
 */
import type { Clock } from "../plugins/sessions.ts";
import type { FailureKind } from "./model.ts";

const REST_FIRST_MS = 30_000;
const REST_MS_MAX = 600_000;
/** Nobody else tries while a probe is out; one that never comes back holds the place no longer than this. */
const PROBE_MS_MAX = 300_000;

/** A provider that cannot be reached fails for all of its models; otherwise another model of it may well answer. */
const PASSING: Readonly<Partial<Record<FailureKind, "provider" | "model">>> = {
  network: "provider",
  overloaded: "model",
  "rate-limit": "model",
  timeout: "model",
  "broken-stream": "model",
};

export type Standing = "well" | "resting" | "probe";

export type RestingModel = { name: string; kind: FailureKind; failures: number; untilMs: number };

export type ModelHealth = {
  /** Asked once per request: whoever gets `probe` is the one that tries. */
  standing(model: string): Standing;
  answered(model: string): void;
  failed(model: string, failure: { kind: FailureKind; retryAfterMs: number }): void;
  /** The request was stopped before it showed anything: the next one may try. */
  untried(model: string): void;
  /** For people: models, and providers by their name alone. */
  resting(): readonly RestingModel[];
};

export function createModelHealth(clock: Clock): ModelHealth {
  const found = new Map<string, RestingModel>();
  const rowsOf = (model: string): RestingModel[] =>
    [found.get(model), found.get(providerOf(model))].filter((row) => row !== undefined);
  return {
    standing(model) {
      const rows = rowsOf(model);
      if (rows.length === 0) return "well";
      if (rows.some(({ untilMs }) => untilMs > clock.now())) return "resting";
      for (const row of rows) row.untilMs = clock.now() + PROBE_MS_MAX;
      return "probe";
    },
    answered(model) {
      found.delete(model);
      found.delete(providerOf(model));
    },
    failed(model, { kind, retryAfterMs }) {
      const whose = PASSING[kind];
      if (whose === undefined) return this.untried(model);
      const name = whose === "model" ? model : providerOf(model);
      const failures = (found.get(name)?.failures ?? 0) + 1;
      const restMs = Math.max(Math.min(REST_MS_MAX, REST_FIRST_MS * 2 ** (failures - 1)), retryAfterMs);
      found.set(name, { name, kind, failures, untilMs: clock.now() + restMs });
    },
    untried(model) {
      for (const row of rowsOf(model)) row.untilMs = Math.min(row.untilMs, clock.now());
    },
    resting: () => [...found.values()].map((row) => ({ ...row })),
  };
}

const providerOf = (model: string): string => model.split("/", 1)[0] ?? model;
