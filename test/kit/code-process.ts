/**
 * A gateway in code mode in a process of its own, to be killed. Its model decides from the transcript alone what it does
 * next, so that it goes on after a restart: explore, then propose a plan, ask a question and change something in one cell.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { ModelRequest } from "../../src/agent/model.ts";
import { startGateway } from "../../src/gateway.ts";
import { scriptedModel, type ScriptStep } from "./scripted-model.ts";

export const CODE_PROCESS = fileURLToPath(import.meta.url);
/** While this file is in the workspace, the model does not answer in a turn that a person's decision began. */
export const HELD_MODEL = "model-is-held";

const EXPLORE = `
  const files = (await API.list("mcp")).map(({ path }) => path);
  const declared = await API.read("mcp/shop.d.ts");
  const header = await MCP.shop.$api("lookup-7", { schema: true });
  const found = await MCP.shop.lookup7({ query: "tea" });
  const refused = await MCP.shop.record({ file: "made" }).catch((error) => error.message);
  text("looked around");
  return { files, functions: declared.split("function ").length - 1, header, row: found.structuredContent.row, refused };`;
/** One cell over two suspensions: during each of them a person decides and the gateway is killed. */
const PROPOSE_AND_ASK = `
  const plan = await tools.call("plugin:plan-mode:exit_plan_mode", { title: "Record it", plan: [{ step: "record the answer" }] });
  text("decided: " + plan.decision);
  const asked = await tools.call("plugin:plan-mode:ask_user_question", { question: "Which colour?", options: ["Red", "Blue"] });
  const { workspace } = await tools.session_status({});
  await MCP.shop.record({ file: workspace + "/made" });
  return "The plan was " + plan.decision + ", the answer was " + asked.answer;`;
const PROGRAMS = [EXPLORE, PROPOSE_AND_ASK];

/** The next step, from what stands in the transcript. */
function next({ entries, tools }: Pick<ModelRequest, "entries" | "tools">): ScriptStep {
  const last = entries.findLast((entry) => entry.kind === "result");
  const result = Result.safeParse(last?.kind === "result" ? last.content : undefined).data;
  if (result?.status === "waiting" && result.runId !== undefined)
    return { calls: [{ tool: "wait", args: { runId: result.runId } }] };
  const made = entries
    .flatMap((entry) => (entry.kind === "assistant" ? entry.calls : []))
    .filter(({ tool }) => tool === "exec");
  const begun = made.filter(({ args }) => PROGRAMS.some((code) => code === args["code"]));
  if (!JSON.stringify(tools).includes("MCP servers shop"))
    return { calls: [{ tool: "exec", args: { code: notYet(made.length) } }] };
  const code = PROGRAMS[begun.length];
  if (code === undefined) return { say: `Done. ${JSON.stringify(result?.value)}` };
  return { calls: [{ tool: "exec", args: { code }, callId: `exec_${begun.length}` }] };
}
const isResumed = ({ entries }: Pick<ModelRequest, "entries">): boolean => entries.at(-1)?.kind === "input";
/** The server's tools join in the background. */
const notYet = (times: number): string => `await new Promise((done) => setTimeout(done, 200)); return ${times};`;
const Result = z.object({ status: z.string(), runId: z.string().optional(), value: z.json().optional() });

async function main(): Promise<void> {
  const { home, workspace } = z
    .object({ home: z.string(), workspace: z.string() })
    .parse(JSON.parse(process.argv[2] ?? "{}"));
  const never = new Promise<never>(() => undefined);
  const model = scriptedModel((request) =>
    existsSync(join(workspace, HELD_MODEL)) && isResumed(request) ? { until: never, say: "" } : next(request),
  );
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new Error("A gateway runs on this state already.");
  process.stdout.write(
    `${JSON.stringify({ url: gateway.url, token: gateway.operatorToken, rssBytes: process.memoryUsage.rss() })}\n`,
  );
  process.on("SIGTERM", () => void gateway.stop().then(() => process.exit(0)));
}

if (import.meta.main) await main();
