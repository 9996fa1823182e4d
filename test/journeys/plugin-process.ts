/**
 * A gateway in a process of its own, to be killed, with one approval plugin inside, or with those alone that were
 * installed. Its model repeats what it was told.
 */
import { z } from "zod";
import { startGateway } from "../../src/gateway.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { deployPlugin } from "../kit/deploy-plugin.ts";

const Orders = z.object({ home: z.string(), workspace: z.string(), toolMs: z.int().default(0) });

/** `toolMs` above zero: it thinks for ever, so that a kill falls between the command and the end of the turn. */
const model = (isMute: boolean) =>
  scriptedModel(({ entries }) => {
    const input = entries.findLast((entry) => entry.kind === "input");
    const say = `told: ${input?.kind === "input" ? input.text : ""}`;
    return isMute ? { until: new Promise(() => undefined) } : { say };
  });

const { home, workspace, toolMs } = Orders.parse(JSON.parse(process.argv[2] ?? "{}"));
const gateway = await startGateway({
  home,
  workspace,
  port: 0,
  log: "silent",
  model: model(toolMs > 0),
  plugins: process.env["PLUGINS"] === "installed" ? [] : [{ plugin: deployPlugin, tier: "trusted" }],
});
if ("alreadyRunning" in gateway) throw new Error("A gateway runs on this state already.");
process.stdout.write(`${JSON.stringify({ url: gateway.url, token: gateway.operatorToken, rssBytes: 0 })}\n`);
process.on("SIGTERM", () => void gateway.stop().then(() => process.exit(0)));
