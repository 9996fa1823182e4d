/** A collector of OpenTelemetry traces: takes OTLP/HTTP in JSON, and keeps every span with the resource it came from. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attribute = { key: string; value: Value };
type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number };
};
type Request = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
};

export type CollectedSpan = Omit<SentSpan, "attributes"> & { attributes: Record<string, unknown>; service: unknown };
export type TraceCollector = { endpoint: string; spans: CollectedSpan[]; bodies: string[]; refuse(): void };

export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  let refuses = false;
  const server = createServer(
    (request, response) => void take(request).then((status) => response.writeHead(status).end("{}")),
  );
  async function take(request: IncomingMessage): Promise<number> {
    const body = await textOf(request);
    if (refuses) return 400;
    bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Request).resourceSpans) {
      const service = valuesOf(resource.attributes)["service.name"];
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(span.attributes), service });
    }
    return 200;
  }
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    refuse: () => void (refuses = true),
  };
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
