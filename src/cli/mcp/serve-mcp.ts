/** `holdpoint mcp`: the plan tools for any MCP client, over standard input and output (IG-01). */
import { randomBytes } from "node:crypto";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { homePath } from "../../config/home.ts";
import { clientPlace } from "../../external/mcp/client-place.ts";
import { createMcpServer } from "../../external/mcp/mcp-server.ts";
import { decisionSocketPath } from "../../external/socket/socket-paths.ts";
import { VERSION } from "../../gateway/version.ts";
import { JsonObject } from "../../protocol/json.ts";
import type { CommandContext } from "../context.ts";

export async function serveMcp({ stdin, stdout, env, cwd, output, terminal }: CommandContext): Promise<void> {
  if (terminal.isTTY && stdin.isTTY) {
    output.remark("This speaks MCP with a program. Add it to an agent as the command: holdpoint mcp");
  }
  const socket = env["HOLDPOINT_SOCKET"] || decisionSocketPath(homePath(env));
  const around = { env, workspace: cwd, fallback: `mcp-${randomBytes(9).toString("base64url")}` };
  const send = (message: JsonObject): void => void stdout.write(`${JSON.stringify(message)}\n`);
  const server = createMcpServer({
    version: VERSION,
    ask: (line, signal) => ask(socket, line, signal),
    place: (client, meta) => clientPlace(client, meta, around),
    send,
  });
  const open = new Set<Promise<void>>();
  for await (const line of createInterface({ input: stdin })) {
    if (line.trim() === "") continue;
    const work = server.handle(parsed(line)).then((answer) => void (answer === undefined || send(answer)));
    open.add(work);
    void work.finally(() => open.delete(work));
  }
  await Promise.allSettled(open);
}

const DOWN = { error: "No gateway answers, so nobody can approve anything. Start it with: holdpoint start" };

/** One line, one answer. Whoever stops waiting leaves the card as it is. */
function ask(path: string, line: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const { promise, resolve } = Promise.withResolvers<JsonObject>();
  const socket = createConnection(path);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("connect", () => socket.write(`${JSON.stringify(line)}\n`));
  socket.on("data", (piece: string) => (text += piece));
  socket.on("error", () => resolve(DOWN));
  socket.on("close", () => resolve(JsonObject.safeParse(parsed(text)).data ?? DOWN));
  const leave = (): void => void socket.destroy();
  signal.addEventListener("abort", leave, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", leave));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
