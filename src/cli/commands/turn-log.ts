/** `holdpoint sessions log`: one turn as it was recorded, such as the one that holds a plan. */
import type { Entry } from "../../protocol/transcript-entry.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { sanitise } from "../text/sanitise.ts";

export async function showTurnLog(
  id: string,
  { turn }: { turn?: number },
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const asked = turn === undefined ? {} : { turn };
    const log = await link.call("sessions.turn", { sessionId: sessionIdOf(id), ...asked });
    output.document(log);
    const { paint } = output.look();
    output.lines([
      paint.strong(`turn log #${log.turn} · ${log.turnId}`),
      ...log.items.flatMap(({ n, atMs, entry }) => [
        paint.quiet(`${n} · ${new Date(atMs).toISOString()} · ${headOf(entry)}`),
        ...sanitise(textOf(entry))
          .split("\n")
          .map((line) => `  ${line}`.trimEnd()),
      ]),
      ...(log.more ? [paint.quiet("… the rest of this turn is too long to be shown")] : []),
    ]);
  });
}

function headOf(entry: Entry): string {
  return entry.kind === "result" || entry.kind === "call-result"
    ? `${entry.kind} of ${sanitise(entry.tool)}: ${entry.status}`
    : entry.kind;
}

/** Whole: calls with their arguments, because a plan is the arguments of one. */
function textOf(entry: Entry): string {
  switch (entry.kind) {
    case "input":
    case "notice":
    case "summary":
      return entry.text;
    case "assistant":
      return [entry.text, ...entry.calls.map(({ tool, args }) => `${tool} ${JSON.stringify(args, null, 2)}`)]
        .filter((part) => part !== "")
        .join("\n");
    case "call":
      return `${entry.tool} ${JSON.stringify(entry.args, null, 2)}`;
    case "result":
    case "call-result":
      return typeof entry.content === "string" ? entry.content : JSON.stringify(entry.content, null, 2);
  }
}
