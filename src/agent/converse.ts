/** One request to the model: what it is told, and making room first when it would not fit. */
import type { Session } from "../protocol/session.ts";
import { type Answer, askModel } from "./ask-model.ts";
import { isFull, roomFor } from "./compaction/room.ts";
import { shorten } from "./compaction/shorten.ts";
import type { Running } from "./lease.ts";
import type { TurnPrompt } from "./prompt/prompt-source.ts";
import { forModel } from "./transcript.ts";
import type { Transcript, Turn } from "./turn.ts";

/** `again`: the conversation was shortened; look at it anew. */
export async function converse(turn: Turn, { session }: Running, items: Transcript): Promise<Answer | "again"> {
  const { lease, parts } = turn;
  const { sessionId, turnId } = lease;
  const models = [parts.modelFor(session)].flat();
  const prompt = await promptFor(turn, session, items);
  const room = roomFor(models, parts.settingsFor(session));
  const request = {
    sessionId,
    turnId,
    system: prompt.system(session, models[0]?.id ?? ""),
    entries: forModel(
      items.map(({ entry }) => entry),
      room.charsMax,
    ),
    tools: parts.tools.catalog(session),
    workspace: session.workspace,
  };
  const cramped = { items, models, room, workspace: session.workspace };
  if (isFull(request, items, room) && (await shorten(turn, { ...cramped, cause: "full" }))) return "again";
  const answer = await askModel({
    models,
    request,
    signal: lease.quiet,
    clock: parts.clock,
    onText: (text) => parts.onDelta(sessionId, { turnId, text }),
    report: parts.report,
  });
  const overflows = answer.status === "failed" && answer.kind === "context-overflow";
  return overflows && (await shorten(turn, { ...cramped, cause: "overflow" })) ? "again" : answer;
}

/** Files are read once per turn; what is wrong with them is shown to people, once as long as it stands. */
async function promptFor({ lease, parts, memory }: Turn, session: Session, items: Transcript): Promise<TurnPrompt> {
  if (memory.prompt !== undefined) return memory.prompt;
  const prompt = await parts.prompt.open(session);
  memory.prompt = prompt;
  const { sessionId, turnId, epoch } = lease;
  const told = new Set(items.flatMap(({ entry }) => (entry.kind === "notice" ? [entry.text] : [])));
  for (const warning of prompt.warnings) {
    parts.warn(sessionId, warning);
    if (!told.has(warning)) await lease.dispatch({ type: "turn.note", turnId, epoch, text: warning });
  }
  return prompt;
}
