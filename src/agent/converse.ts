/** Builds one request to the model, and makes room first when it would not fit. */
import { lines, type LocalizedText, noticeOf } from "../protocol/localized/localized-text.ts";
import type { Session } from "../protocol/session.ts";
import type { Entry } from "../protocol/transcript-entry.ts";
import { type Answer, askModel } from "./ask-model.ts";
import { isFull, roomFor } from "./compaction/room.ts";
import { shorten } from "./compaction/shorten.ts";
import type { Running } from "./lease.ts";
import type { Picture, ToolSpec } from "./model.ts";
import type { TurnPrompt } from "./prompt/prompt-source.ts";
import { callsWithoutResult, transcriptForModel } from "./transcript.ts";
import type { ShownSurface, Turn } from "./turn.ts";
import type { Transcript } from "./turn-transcript.ts";

const PICTURES_MAX = 8;

/** `again`: the conversation was shortened; look at it anew. */
export async function converse(turn: Turn, { session }: Running, items: Transcript): Promise<Answer | "again"> {
  const { lease, parts } = turn;
  const { sessionId, turnId } = lease;
  const surface = await surfaceFor(turn, session, items);
  if (surface.kind === "failed") return { status: "failed", kind: "other", words: surface.words, retryAfterMs: 0 };
  const models = [parts.modelFor(session)].flat();
  const prompt = await promptFor(turn, { session, modelId: models[0]?.id ?? "" }, items);
  const room = roomFor(models, parts.settingsFor(session));
  const stored = items.map(({ entry }) => entry);
  reportRepairs(turn, stored);
  const entries = transcriptForModel(stored, room.charsMax);
  const pictures = await picturesIn(entries, turn);
  const request = {
    sessionId,
    turnId,
    system: prompt.system(session, models[0]?.id ?? ""),
    entries,
    ...(pictures.size === 0 ? {} : { pictures }),
    ...toolsIn(surface, () => parts.tools.catalog(session)),
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
    onNote: (words, how) => note(turn, words, how),
    health: parts.health,
    report: parts.report,
  });
  const overflows = answer.status === "failed" && answer.kind === "context-overflow";
  return overflows && (await shorten(turn, { ...cramped, cause: "overflow" })) ? "again" : answer;
}

const toolsIn = (surface: ShownSurface, catalog: () => readonly ToolSpec[]) =>
  surface.kind === "projection"
    ? { tools: surface.exact, toolsExactly: surface.exact.map(({ name }) => name) }
    : { tools: catalog() };

/** Chosen once in a turn, and then asked again only about what is shown: settings that change count from the next. */
async function surfaceFor(turn: Turn, session: Session, items: Transcript): Promise<ShownSurface> {
  const { parts, memory } = turn;
  if (parts.tools.surface === undefined) return { kind: "catalog" };
  const { kind: before } = memory.surface ?? {};
  const surface = await parts.tools.surface(session, before === "failed" ? undefined : before);
  memory.surface = surface;
  const words = surface.kind === "failed" ? undefined : surface.note;
  const isKnown = items.some(({ entry }) => entry.kind === "notice" && entry.text === words?.text);
  if (words !== undefined && !isKnown) await note(turn, words, "kept");
  return surface;
}

/** Shown to whoever watches; what is kept stands in the transcript as well, the same words once in a turn. */
async function note({ lease, parts, memory }: Turn, words: LocalizedText, how: "kept" | "brief"): Promise<void> {
  const { sessionId, turnId, epoch } = lease;
  parts.onDelta(sessionId, { turnId, ...noticeOf(lines(["", words, ""])) });
  if (how === "brief" || memory.noted.has(words.text)) return;
  memory.noted.add(words.text);
  await lease.dispatch({ type: "turn.note", turnId, epoch, ...noticeOf(words) });
}

function reportRepairs({ lease, parts, memory }: Turn, entries: readonly Entry[]): void {
  if (memory.repairsReported === true || parts.repaired === undefined) return;
  memory.repairsReported = true;
  const calls = callsWithoutResult(entries);
  if (calls.length > 0) parts.repaired(lease.sessionId, calls);
}

/** The newest images that people attached; they weigh more than words, so older ones are only named. */
async function picturesIn(entries: readonly Entry[], { lease, parts }: Turn): Promise<Map<string, Picture>> {
  const attached = entries.flatMap((entry) =>
    entry.kind === "input" ? entry.messages.flatMap(({ attachments = [] }) => attachments) : [],
  );
  const pictures = new Map<string, Picture>();
  for (const { id } of attached.slice(-PICTURES_MAX)) {
    const picture = await parts.picture(lease.sessionId, id);
    if (picture !== undefined) pictures.set(id, picture);
  }
  return pictures;
}

/** Files are read once per turn; a problem with them is shown to people once, until it changes. */
async function promptFor(
  { lease, parts, memory }: Turn,
  { session, modelId }: { session: Session; modelId: string },
  items: Transcript,
): Promise<TurnPrompt> {
  if (memory.prompt !== undefined) return memory.prompt;
  const prompt = await parts.prompt.open(session, modelId, memory.reading);
  memory.prompt = prompt;
  const { sessionId, turnId, epoch } = lease;
  const told = new Set(items.flatMap(({ entry }) => (entry.kind === "notice" ? [entry.text] : [])));
  for (const warning of prompt.warnings) {
    parts.warn(sessionId, warning.text);
    if (!told.has(warning.text)) await lease.dispatch({ type: "turn.note", turnId, epoch, ...noticeOf(warning) });
  }
  return prompt;
}
