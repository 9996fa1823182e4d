/**
 * OpenTelemetry traces (GW-07): off unless an endpoint is configured or the usual OTEL_ variables name one. The packages
 * are optional and loaded only then; a collector that is away costs lines in the log, never a turn.
 */
import type { Logger } from "pino";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { followTurns } from "./turn-spans.ts";

const PACKAGES =
  "@opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/resources @opentelemetry/exporter-trace-otlp-http";

export type Tracing = {
  /** Sends what is left and ends. */
  close(): Promise<void>;
};

export type TracingParts = {
  engine: Pick<Engine, "onCommitted">;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  /** Of the configuration; without one the OTEL_ variables are read. */
  endpoint: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
};

export function openTracing(parts: TracingParts): Tracing {
  const endpoint = endpointOf(parts);
  if (endpoint === undefined) return { close: async () => undefined };
  const opened = open(parts, endpoint).catch((error: unknown) => {
    const fix = `npm install ${PACKAGES}`;
    parts.log.warn({ err: error, fix }, `no traces: the packages of OpenTelemetry cannot be loaded; ${fix}`);
    return undefined;
  });
  return { close: async () => (await opened)?.() };
}

/** Of OTEL_EXPORTER_OTLP_ENDPOINT, which is for every kind of signal, traces have their own path. */
function endpointOf({ endpoint, env }: Pick<TracingParts, "endpoint" | "env">): string | undefined {
  if (env["OTEL_SDK_DISABLED"] === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return undefined;
  const forTraces = endpoint ?? env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  if (forTraces !== undefined && forTraces !== "") return forTraces;
  const forAll = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return forAll === undefined || forAll === "" ? undefined : `${forAll.replace(/\/+$/, "")}/v1/traces`;
}

async function open({ engine, clock, log }: TracingParts, endpoint: string): Promise<() => Promise<void>> {
  const { openOtlpTracer } = await import("./otlp-tracer.ts");
  const { spans, close } = openOtlpTracer({ endpoint, clock, log });
  const stop = followTurns(engine, spans);
  log.info({ endpoint }, "traces are sent to the OpenTelemetry collector");
  return async () => {
    stop();
    await close();
  };
}
