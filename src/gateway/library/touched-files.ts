/** Which files the file tools changed in a session since a time, read from its transcript. Commands name no files here. */
import type { SessionId } from "../../protocol/ids.ts";
import type { Entry, ToolCall } from "../../protocol/transcript-entry.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 200;
const PAGES_MAX = 25;
const FILES_MAX = 300;
const FILE_TOOLS: ReadonlySet<string> = new Set(["write", "edit", "apply_patch"]);
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

export async function touchedFiles(
  store: Pick<Store, "entries">,
  { sessionId, sinceMs }: { sessionId: SessionId; sinceMs: number },
): Promise<string[]> {
  const entries = await entriesSince(store, { sessionId, sinceMs });
  const done = new Set(entries.flatMap((entry) => (isResult(entry) && entry.status === "ok" ? [entry.callId] : [])));
  const calls = entries.flatMap((entry): Called[] =>
    entry.kind === "assistant" ? entry.calls : entry.kind === "call" ? [entry] : [],
  );
  const files = calls
    .filter(({ callId, tool }) => done.has(callId) && FILE_TOOLS.has(tool))
    .flatMap(({ args }) => pathsIn(args));
  return [...new Set(files)].slice(0, FILES_MAX);
}

type Called = Pick<ToolCall, "callId" | "tool" | "args">;

const isResult = (entry: Entry): entry is Extract<Entry, { kind: "result" | "call-result" }> =>
  entry.kind === "result" || entry.kind === "call-result";

function pathsIn({ path, patch }: Readonly<Record<string, unknown>>): string[] {
  if (typeof path === "string") return [path];
  return typeof patch === "string" ? [...patch.matchAll(PATCHED)].map(([, name = ""]) => name.trim()) : [];
}

async function entriesSince(
  store: Pick<Store, "entries">,
  { sessionId, sinceMs }: { sessionId: SessionId; sinceMs: number },
): Promise<Entry[]> {
  const found: Entry[] = [];
  let before: number | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const events = await store.entries({ sessionId, from: 0, before, limit: PAGE });
    const [first] = events;
    for (const { event, atMs } of events)
      if (event.type === "entry.appended" && atMs >= sinceMs) found.push(event.entry);
    if (first === undefined || first.event.type !== "entry.appended" || first.atMs < sinceMs) break;
    before = first.event.n;
  }
  return found;
}
