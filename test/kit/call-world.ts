import type { JsonObject } from "../../src/protocol/json.ts";
import { sessionId } from "./core.ts";
import { scriptedModel } from "./scripted-model.ts";
import { gatePlugin, turnWorld, type TurnWorldGiven } from "./turn-world.ts";

/** A world with a running turn in which `call` makes one call after the other. */
export async function callWorld(given: Omit<TurnWorldGiven, "model"> = {}) {
  const world = turnWorld({ model: scriptedModel([]), plugins: [gatePlugin], ...given });
  await world.open();
  const turnId = await world.send("please");
  await world.must({ type: "turn.start", turnId, node: "n", leaseUntilMs: 9_999_999, sole: true });
  const { epoch } = await world.session();
  const stop = new AbortController();
  let count = 0;
  async function call(name: string, args: JsonObject = {}) {
    const made = { callId: `call_${++count}`, tool: name, args };
    await world.must({ type: "turn.say", turnId, epoch, text: "", calls: [made] });
    const end = await world.toolbox.call(made, { sessionId, turnId, epoch, signal: stop.signal });
    const result = (await world.entries()).findLast((entry) => entry.kind === "result");
    return result?.kind === "result" && result.callId === made.callId
      ? { end, status: result.status, content: result.content }
      : { end };
  }
  return { ...world, call, stop, turnId, epoch };
}
