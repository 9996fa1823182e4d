/** `holdpoint acp -- <command>`: an agent that speaks ACP, kept by the kernel, with the gate between it and its editor. */
import { createInterface } from "node:readline";
import { createAcpGate } from "../../external/acp/acp-gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { CommandContext } from "../context.ts";
import { askGateway, gatewaySocket } from "../mcp/ask-gateway.ts";
import { parsedLine } from "../mcp/serve-lines.ts";
import { type KeptRun, runAgent } from "../run/run.ts";
import type { RunOptions } from "../run/run-options.ts";

export function gateAgent(words: readonly string[], options: RunOptions, context: CommandContext): Promise<number> {
  const { stdin, stdout, env } = context;
  const socket = gatewaySocket(env);
  const talk = (run: KeptRun): void => {
    run.stdin.on("error", () => undefined); // it has ended; its exit code says so
    const gate = createAcpGate({
      place: run.place,
      ask: (line, signal) => askGateway(socket, line, signal),
      released: run.released,
      toAgent: (message) => void run.stdin.write(lineOf(message)),
      toEditor: (message) => void stdout.write(lineOf(message)),
    });
    createInterface({ input: run.stdout }).on("line", (line) => gate.fromAgent(parsedLine(line)));
    createInterface({ input: stdin })
      .on("line", (line) => gate.fromEditor(parsedLine(line)))
      .on("close", () => {
        gate.close();
        run.stdin.end();
      });
  };
  return runAgent(words, options, { ...context, talk });
}

const lineOf = (message: JsonObject): string => `${JSON.stringify(message)}\n`;
