/** How the end of a command reads. */
import type { ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { ChildEnd } from "../child-process.ts";
import type { OutputWindow } from "../output-window.ts";

/** Keeps a command's output and shows it to people who watch. */
export const watched =
  (output: OutputWindow, { emit }: Pick<ToolContext, "emit">) =>
  (chunk: Buffer): "more" => {
    const fresh = output.add(chunk);
    if (fresh !== "") emit(fresh);
    return "more";
  };

export function toOutput(
  end: ChildEnd,
  { output, timeoutSeconds, also = {} }: { output: string; timeoutSeconds: number; also?: JsonObject },
): ToolOutput {
  switch (end.ended) {
    case "exit":
      return { status: end.code === 0 ? "ok" : "error", content: { exitCode: end.code, output, ...also } };
    case "killed":
      return { status: "error", content: { killedBy: end.by, output, ...also } };
    case "timeout":
      return { status: "error", content: { stopped: `after ${timeoutSeconds} seconds`, output, ...also } };
    case "not-started":
      return { status: "error", content: `bash could not be started: ${end.reason}` };
    default:
      return { status: "error", content: { stopped: "by request", output, ...also } };
  }
}
