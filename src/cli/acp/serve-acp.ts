/** `holdpoint acp`: the gateway as an agent for an editor, over standard input and output (IG-04). */
import { VERSION } from "../../gateway/version.ts";
import type { CommandContext } from "../context.ts";
import { findGateway, openLink } from "../gateway-link.ts";
import { serveLines } from "../mcp/serve-lines.ts";
import { createAcpAgent } from "./acp-agent.ts";

export async function serveAcp(context: CommandContext): Promise<void> {
  const { stdin, terminal, output, env } = context;
  if (terminal.isTTY && stdin.isTTY) {
    output.remark("This speaks ACP with an editor. Add it there as an agent with the command: holdpoint acp");
  }
  const link = await openLink(await findGateway(env), { stay: true });
  try {
    await serveLines(context, (send) => createAcpAgent({ link, version: VERSION, send }).handle);
  } finally {
    link.close();
  }
}
