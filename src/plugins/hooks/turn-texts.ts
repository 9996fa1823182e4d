/**
 * Text that hooks add to an agent's input: around the input of a turn, recorded with it; and after the stable part of
 * the prompt, asked for once per session and model and cached, so that a session gets the same bytes.
 */
import { PREPARED_CHARS_MAX, PREPARED_TEXTS_MAX, type Prepared, type Session } from "../../protocol/session.ts";
import type { Clock } from "../sessions.ts";
import { pluginWords } from "../state/plugin-injection.ts";
import type { HookRunner } from "./hook-runner.ts";

const KEPT_MAX = 2_000;
const NOTES_CHARS_MAX = 16_384;

export type TurnTexts = {
  /** Undefined when no hook adds anything. */
  prepare(session: Session, turnId: string): Promise<Prepared | undefined>;
  notes(session: Session, modelId: string): Promise<string>;
  /** Drops the cache of a session: plugins changed, or the session was reset. */
  forget(sessionId?: string): void;
};

export function createTurnTexts(hooks: HookRunner, clock: Pick<Clock, "now">): TurnTexts {
  const kept = new Map<string, { sessionId: string; text: Promise<string> }>();
  return {
    async prepare(session, turnId) {
      if (!hooks.has("agent_turn_prepare")) return undefined;
      const event = { ...placeOf(session), runId: turnId, turnCount: session.turnCount, atMs: clock.now() };
      const answers = await hooks.run("agent_turn_prepare", event);
      const texts = (field: "prependContext" | "appendContext"): string[] =>
        fitting(answers.map(({ pluginId, answer }) => words(pluginId, answer[field])));
      const prepared = { before: texts("prependContext"), after: texts("appendContext") };
      return prepared.before.length + prepared.after.length === 0 ? undefined : prepared;
    },
    async notes(session, modelId) {
      if (!hooks.has("before_prompt")) return "";
      const key = JSON.stringify([session.id, modelId]);
      const known = kept.get(key);
      if (known !== undefined) return known.text;
      const text = ask(hooks, session, modelId);
      const oldest = kept.keys().next().value;
      if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { sessionId: session.id, text });
      return text;
    },
    forget(sessionId) {
      if (sessionId === undefined) kept.clear();
      for (const [key, note] of kept) if (note.sessionId === sessionId) kept.delete(key);
    },
  };
}

async function ask(hooks: HookRunner, session: Session, modelId: string): Promise<string> {
  const answers = await hooks.run("before_prompt", { ...placeOf(session), modelId });
  const texts = answers.map(({ pluginId, answer }) => words(pluginId, answer.appendText)).filter((text) => text !== "");
  let chars = 0;
  return texts.filter((text) => (chars += text.length) <= NOTES_CHARS_MAX).join("\n\n");
}

const words = (pluginId: string, text: string | undefined): string =>
  text === undefined || text.trim() === "" ? "" : pluginWords(pluginId, text);

/** Those of the greatest priority first, as many as a turn's input takes. */
function fitting(texts: readonly string[]): string[] {
  let chars = 0;
  return texts
    .filter((text) => text !== "" && (chars += text.length) <= PREPARED_CHARS_MAX)
    .slice(0, PREPARED_TEXTS_MAX);
}

const placeOf = ({ id, agentId, kind }: Session) => ({ sessionKey: id, agentId, sessionKind: kind });
