/** `holdpoint plan timers`: what will happen by itself, and when. */
import { sessionIdOf } from "../../chat/choose-session.ts";
import type { CommandContext } from "../../context.ts";
import { withGateway } from "../../gateway-link.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { table } from "../../text/table.ts";
import type { OnSession } from "./plan.ts";

export async function listTimers({ session }: OnSession, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const of = session === undefined ? {} : { sessionId: sessionIdOf(session) };
    const { timers } = await link.call("sessions.timers", { ...of, limit: 200 });
    output.document({ timers });
    if (timers.length === 0) return output.lines(["Nothing will happen by itself."]);
    const rows = timers.map(({ atMs, does, slice, key, sessionId, title }) => [
      new Date(atMs).toISOString(),
      DOES[does] ?? sanitiseLine(does),
      sanitiseLine(`${slice}/${key}`),
      sessionId,
      sanitiseLine(title),
    ]);
    output.lines(table(["at", "what", "timer", "session", "title"], rows, output.look()));
  });
}

/** In the words of people; what another plugin named stands as it is. */
const DOES: Readonly<Record<string, string>> = {
  expire: "the time to decide is up",
  remind: "people are reminded, or the next ones are shown it",
  nudge: "the agent is woken",
};
