/** The demo agent with one bad habit: in its first turn it tries to write before anybody approved anything. */
import { createDemoModel } from "../../agent/demo/demo-model.ts";
import type { Model, ModelPart, ModelRequest } from "../../agent/model.ts";

const ATTEMPT = { path: "README.md", content: "Written without asking.\n" };

export function createImpatientModel(pause: (signal: AbortSignal) => Promise<void>): Model {
  const demo = createDemoModel({ pause });
  return {
    id: demo.id,
    scripted: true,
    stream: (request) => (isFirst(request) ? attempt(request) : demo.stream(request)),
  };
}

const isFirst = ({ entries }: ModelRequest): boolean => entries.every(({ kind }) => kind === "input");

async function* attempt({ turnId }: ModelRequest): AsyncGenerator<ModelPart> {
  yield { type: "text", delta: "[scripted demo] I will not wait for a plan: I write to README.md at once." };
  yield { type: "call", call: { callId: `${turnId}.0`, tool: "write", args: ATTEMPT } };
  yield { type: "end", reason: "calls" };
}
