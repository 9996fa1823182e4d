/** Spans by OpenTelemetry's own packages, in batches, over OTLP/HTTP. Loaded only when traces are wanted. */
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Clock } from "../../engine/clock.ts";
import { VERSION } from "../version.ts";
import type { OpenSpan, Spans, SpanStart } from "./turn-spans.ts";

/** How long the end of the gateway waits for a collector. */
const CLOSE_MS = 2_000;
/** Of a result of an export. */
const FAILED = 1;

export type OtlpTracer = { spans: Spans; close(): Promise<void> };

export function openOtlpTracer(parts: {
  endpoint: string;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
}): OtlpTracer {
  const { endpoint, clock, log } = parts;
  const exporter = reporting(new OTLPTraceExporter({ url: endpoint }), log);
  const own = resourceFromAttributes({ "service.name": "holdpoint", "service.version": VERSION });
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const tracer = provider.getTracer("holdpoint", VERSION);
  return {
    spans: { root: (start) => openSpan(tracer, ROOT_CONTEXT, start) },
    async close() {
      const ended = provider.shutdown().catch(() => undefined); // what failed is in the log
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const forget = clock.wakeAt(clock.now() + CLOSE_MS, resolve); // left alone it tries again for ten seconds
      await Promise.race([ended, late]);
      forget();
    },
  };
}

function openSpan(tracer: Tracer, context: Context, { name, kind, atMs, attributes }: SpanStart): OpenSpan {
  const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: atMs, attributes }, context);
  return {
    child: (start) => openSpan(tracer, trace.setSpan(context, span), start),
    end: ({ atMs: endMs, attributes: more, error }) => endSpan(span, { endMs, more: more ?? {}, error }),
  };
}

type End = { endMs: number; more: Record<string, string | number>; error: string | undefined };

function endSpan(span: Span, { endMs, more, error }: End): void {
  span.setAttributes(error === undefined ? more : { ...more, "error.type": error });
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
  span.end(endMs);
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/** Says once when the collector cannot be reached, and once when it can again. */
function reporting(exporter: SpanExporter, log: Pick<Logger, "info" | "warn">): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const code: number = result.code;
        const failed = code === FAILED;
        if (failed && !isFailing) log.warn({ err: result.error }, "traces cannot be sent; those of this time are lost");
        if (!failed && isFailing) log.info("traces are sent again");
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
