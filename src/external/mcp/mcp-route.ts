/** The MCP server over streamable HTTP, without sessions and streams: each POST is one message and its answer (IG-01). */
import type { HttpRequest, HttpRoute } from "../../http/http-route.ts";
import { JsonObject } from "../../protocol/json.ts";
import { bodyOf, type IdentifyBearer, refuseStranger } from "../decision-route.ts";
import type { LineAnswer } from "../socket/decision-socket.ts";

const PATH = "/mcp";
const BODY_BYTES_MAX = 1_048_576;
/** Proxies cut longer answers off. */
const WAIT_MS_MAX = 50_000;

type Parts = { identify: IdentifyBearer; lineAnswer(): Promise<LineAnswer>; version: string };

export const createMcpRoute = ({ identify, lineAnswer, version }: Parts): HttpRoute => ({
  takes: (path) => path === PATH,
  methods: ["POST"],
  bodyBytesMax: BODY_BYTES_MAX,
  async answer(request) {
    const stranger = await refuseStranger(request, identify);
    if (stranger !== undefined) return stranger;
    const { createMcpServer } = await import("./mcp-server.ts");
    const answer = await lineAnswer();
    const server = createMcpServer({
      version,
      place: (client) => placeOf(request, client),
      ask: (line, signal) => asked(answer, bounded(line), signal),
    });
    const reply = await server.handle(bodyOf(request));
    return reply === undefined ? { status: 202, body: "" } : { status: 200, body: JSON.stringify(reply) };
  },
});

/** Without a session, who asks says so in headers; the token's run where nothing is said. */
function placeOf({ headers }: HttpRequest, client: string) {
  const named = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const agent = named("holdpoint-agent") ?? (client === "mcp" ? "mcp" : client);
  return {
    agent: agent
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, "-")
      .slice(0, 32),
    session: named("holdpoint-run") ?? "http",
    workspace: named("holdpoint-workspace") ?? "/",
  };
}

const bounded = (line: JsonObject): JsonObject =>
  typeof line["waitMs"] === "number" ? { ...line, waitMs: Math.min(line["waitMs"], WAIT_MS_MAX) } : line;

async function asked(answer: LineAnswer, line: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  let said: object = { error: "The gateway did not answer." };
  await answer(JSON.stringify(line), { signal, write: (one) => void (said = one) });
  return JsonObject.parse(JSON.parse(JSON.stringify(said)));
}
