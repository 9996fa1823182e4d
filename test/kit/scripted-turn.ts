/** Turns of a scripted model, and how they read afterwards. */
import { z } from "zod";
import type { Tool, ToolContext } from "../../src/plugins/tool.ts";
import { gate } from "./engine.ts";
import { scriptedModel, type ScriptStep } from "./scripted-model.ts";
import { turnWorld, type TurnWorld, type TurnWorldGiven } from "./turn-world.ts";

type Script = Parameters<typeof scriptedModel>[0];

export async function world(script: Script, given: Omit<TurnWorldGiven, "model"> = {}) {
  const model = scriptedModel(script);
  const made = turnWorld({ ...given, model });
  return { ...made, model };
}

export async function opened(script: Script, given: Omit<TurnWorldGiven, "model"> = {}) {
  const made = await world(script, given);
  await made.open();
  await made.must(gate({ do: "open" }));
  return made;
}

/** The transcript without ids that change from run to run. */
export async function told({ entries }: Pick<TurnWorld, "entries">): Promise<string[]> {
  return (await entries()).map((entry) => {
    switch (entry.kind) {
      case "input":
        return `input: ${entry.text}`;
      case "assistant":
        return `says: ${entry.text} [${entry.calls.map((call) => call.tool).join(", ")}]`;
      case "result":
        return `${entry.tool}: ${entry.status}`;
      case "call":
        return `${entry.caller.kind} calls ${entry.tool}`;
      case "call-result":
        return `${entry.caller.kind}'s ${entry.tool}: ${entry.status}`;
      case "notice":
        return `notice: ${entry.text}`;
      case "summary":
        return `summary up to ${entry.upTo}: ${entry.text}`;
    }
  });
}

/** A mutating tool that counts its runs and can be held inside. */
export function counter(inside: (context: ToolContext) => Promise<unknown> = async () => undefined) {
  const runs: string[] = [];
  const begun = Promise.withResolvers<void>();
  const tool = {
    name: "count",
    description: "",
    effect: "write",
    kind: "file_edit",
    input: z.strictObject({}),
    async run(_args: unknown, context: ToolContext) {
      runs.push(context.callId);
      begun.resolve();
      await inside(context);
      return { status: "ok", content: runs.length } as const;
    },
  };
  return { tool: tool as unknown as Tool, runs, begun: begun.promise };
}

export const stopOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", resolve);
  });
export const answer = (text: string): ScriptStep => ({ say: text });
export const calls = (...tools: string[]): ScriptStep => ({ calls: tools.map((tool) => ({ tool })) });
