/**
 * The one place where a model's answer comes in: what the gateway keeps secret is left out before anything is recorded,
 * shown, judged or run. So transcript, events, cards, plans, exports and the audit trail are clean alike.
 */
import type { Json, JsonObject } from "../protocol/json.ts";
import { SECRET_IN_CALL } from "../protocol/calls/secret-in-call.ts";
import type { ToolCall } from "../protocol/transcript-entry.ts";
import type { Model, ModelPart } from "./model.ts";

export type Clean = {
  text(given: string): string;
  json(given: Json): Json;
  stream(): { push(chunk: string): string; end(): string };
};

export const cleanAnswers = (model: Model, clean: Clean): Model => ({
  ...model,
  stream: (request) => cleanParts(model.stream(request), clean),
});

async function* cleanParts(parts: AsyncIterable<ModelPart>, clean: Clean): AsyncGenerator<ModelPart> {
  let spoken = clean.stream();
  for await (const part of parts) {
    if (part.type === "text") {
      const delta = spoken.push(part.delta);
      if (delta !== "") yield { type: "text", delta };
      continue;
    }
    if (part.type !== "thinking") {
      const rest = spoken.end();
      if (rest !== "") yield { type: "text", delta: rest };
      spoken = clean.stream();
    }
    if (part.type === "call") yield { type: "call", call: cleanCall(part.call, clean) };
    else if (part.type !== "keep" || isClean(part.kept.parts, clean)) yield part;
  }
}

/** What a model wants back is sealed: it goes back as it came, or not at all. */
const isClean = (given: Json, clean: Clean): boolean => JSON.stringify(clean.json(given)) === JSON.stringify(given);

const PROBLEM_CHARS_MAX = 2_000;

/** A call with a secret in it is not made: left out of a file or a command, it would be another call than was meant. */
function cleanCall(call: ToolCall, clean: Clean): ToolCall {
  const named = { ...call, callId: clean.text(call.callId), tool: clean.text(call.tool) };
  const problem = call.problem === undefined ? undefined : clean.text(call.problem).slice(0, PROBLEM_CHARS_MAX);
  const kept = problem === undefined ? named : { ...named, problem };
  if (isClean(call.args, clean)) return kept;
  return { ...kept, args: cleanArgs(call.args, clean), problem: problem ?? SECRET_IN_CALL };
}

const cleanArgs = (args: JsonObject, clean: Clean): JsonObject =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [clean.text(name), clean.json(value)]));
