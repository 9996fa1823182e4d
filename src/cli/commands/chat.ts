/** `holdpoint chat`: a conversation in the terminal, or over pipes when no person sits at it. */
import { chooseSession } from "../chat/choose-session.ts";
import { greeting } from "../chat/greeting.ts";
import { pipedChat } from "../chat/piped-chat.ts";
import { terminalChat } from "../chat/terminal-chat.ts";
import { type CommandContext, isTerminal } from "../context.ts";
import { findGateway, openLink } from "../gateway-link.ts";
import { workspaceFolder } from "../workspace.ts";

export type ChatOptions = { session?: string; new?: boolean; workspace?: string };

export async function chat(options: ChatOptions, context: CommandContext): Promise<number | void> {
  const address = await findGateway(context.env);
  const link = await openLink(address, { stay: true });
  try {
    const workspace = await workspaceFolder(options.workspace, context);
    const chosen = await chooseSession(link, { session: options.session, isNew: options.new === true, workspace });
    if (!isTerminal(context)) return await pipedChat({ link, sessionId: chosen.sessionId, context });
    context.output.lines(await greeting(link, { url: address.url, chosen, look: context.output.look() }));
    await terminalChat({ link, sessionId: chosen.sessionId, context });
    context.output.lines([
      `Bye. What waits stays pending. Continue with: holdpoint chat --session ${chosen.sessionId}`,
    ]);
  } finally {
    link.close();
  }
}
