/** `holdpoint mcp`: the plan tools for any MCP client, over standard input and output (IG-01). */
import { randomBytes } from "node:crypto";
import { clientPlace } from "../../external/mcp/client-place.ts";
import { createMcpServer } from "../../external/mcp/mcp-server.ts";
import { VERSION } from "../../gateway/version.ts";
import type { CommandContext } from "../context.ts";
import { askGateway, gatewaySocket } from "./ask-gateway.ts";
import { serveLines } from "./serve-lines.ts";

export async function serveMcp(context: CommandContext): Promise<void> {
  const { stdin, env, cwd, output, terminal } = context;
  if (terminal.isTTY && stdin.isTTY) {
    output.remark("This speaks MCP with a program. Add it to an agent as the command: holdpoint mcp");
  }
  const socket = gatewaySocket(env);
  const around = { env, workspace: cwd, fallback: `mcp-${randomBytes(9).toString("base64url")}` };
  await serveLines(context, (send) => {
    const server = createMcpServer({
      version: VERSION,
      ask: (line, signal) => askGateway(socket, line, signal),
      place: (client, meta) => clientPlace(client, meta, around),
      send,
    });
    return server.handle;
  });
}
