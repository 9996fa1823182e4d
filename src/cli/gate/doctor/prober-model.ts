/** The model of the doctor's agent: it makes exactly the call that the doctor orders, and writes nothing else. */
import type { Model, ModelPart, ModelRequest, ToolSpec } from "../../../agent/model.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { EntryOf } from "../../../protocol/transcript-entry.ts";

export type ProbeCall = { tool: string; args: JsonObject };

export type ProberModel = Model & {
  /** Sets the answer to the next request of the first session. */
  order(call: ProbeCall | undefined): void;
  /** What any other session, a sub-agent's, does first; resolves with what became of it. */
  orderChild(call: ProbeCall): Promise<EntryOf<"result">>;
  /** The tools as the last request listed them. */
  offered(): readonly ToolSpec[];
};

type ChildOrder = { call: ProbeCall; done: PromiseWithResolvers<EntryOf<"result">> };

export function createProberModel(): ProberModel {
  let first: string | undefined;
  let ordered: ProbeCall | undefined;
  let child: ChildOrder | undefined;
  let tools: readonly ToolSpec[] = [];
  let count = 0;

  function takeOrder(request: ModelRequest): ProbeCall | undefined {
    first ??= request.sessionId;
    if (request.sessionId !== first) return takeChildOrder(request, child);
    if (request.tools.length === 0) return undefined; // a summary of a long conversation is asked for
    tools = request.tools;
    const call = ordered;
    ordered = undefined;
    return call;
  }

  return {
    id: "gate-doctor",
    scripted: true,
    order: (call) => void (ordered = call),
    orderChild(call) {
      child = { call, done: Promise.withResolvers() };
      return child.done.promise;
    },
    offered: () => tools,
    async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
      const call = takeOrder(request);
      count += 1;
      if (call === undefined) yield { type: "text", delta: "Done: that was the probe." };
      else yield { type: "call", call: { callId: `probe_${count}`, ...call } };
      yield { type: "end", reason: call === undefined ? "stop" : "calls" };
    },
  };
}

/** Answers once, and resolves the order when the result is there. */
function takeChildOrder({ entries }: ModelRequest, order: ChildOrder | undefined): ProbeCall | undefined {
  const result = entries.findLast((entry) => entry.kind === "result");
  if (result?.kind !== "result") return order?.call;
  order?.done.resolve(result);
  return undefined;
}
