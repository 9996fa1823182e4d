/** One line to the gateway's socket, and the line that answers it. Whoever stops waiting leaves the card as it is. */
import { createConnection } from "node:net";
import { homePath } from "../../config/home.ts";
import { decisionSocketPath } from "../../external/socket/socket-paths.ts";
import { JsonObject } from "../../protocol/json.ts";
import type { CommandContext } from "../context.ts";
import { parsedLine } from "./serve-lines.ts";

const DOWN = { error: "No gateway answers, so nobody can approve anything. Start it with: holdpoint start" };

/** In the tree of a kept run its own socket is the only one. */
export const gatewaySocket = (env: CommandContext["env"]): string =>
  env["HOLDPOINT_SOCKET"] || decisionSocketPath(homePath(env));

export function askGateway(path: string, line: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const { promise, resolve } = Promise.withResolvers<JsonObject>();
  const socket = createConnection(path);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("connect", () => socket.write(`${JSON.stringify(line)}\n`));
  socket.on("data", (piece: string) => (text += piece));
  socket.on("error", () => resolve(DOWN));
  socket.on("close", () => resolve(JsonObject.safeParse(parsedLine(text)).data ?? DOWN));
  const leave = (): void => void socket.destroy();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", leave));
}
