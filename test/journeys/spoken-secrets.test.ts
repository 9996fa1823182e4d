/** An agent that writes the operator's own token wherever it can: nobody is shown it, nothing keeps it (GW-04). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const planWith = (words: string) => [{ step: `use ${words}`, status: "pending" }];

it("[GW-04] what an agent says, asks for and plans is recorded and shown without the gateway's tokens", async () => {
  const here = story();
  const say = (token: string): ScriptStep[] => [
    {
      say: `I have ${token} here.`,
      calls: [
        { tool: "exec", args: { command: `echo ${token}` } },
        { tool: "read", args: { path: token } },
        { tool: `x_${"y".repeat(5)}`, args: { [token]: token } },
        { tool: "update_plan", args: { plan: planWith(token) } },
      ],
    },
    { calls: [{ tool: "exit_plan_mode", args: { title: `T ${token}`, plan: planWith(token) } }] },
    { calls: [{ tool: "exit_plan_mode", args: { title: "A plan", plan: planWith("the key of the person") } }] },
  ];
  let token = "";
  const steps = new Map<number, ScriptStep>();
  let asked = 0;
  const model = scriptedModel(() => {
    if (asked === 0) for (const [n, step] of say(token).entries()) steps.set(n, step);
    return steps.get(asked++) ?? { say: "done" };
  });
  const running = await here.start(model);
  token = running.operatorToken;
  const alice = await here.person();
  const { secret } = await alice.client.call("tokens.create", { name: "reader", scopes: ["operator.read"] });
  const reader = connectHoldpoint({ url: running.url, token: secret, clientName: "reader", reconnect: false });
  await reader.ready();
  const sessionId = await alice.open();
  const events: unknown[] = [];
  reader.on("*", (event) => void events.push(event));
  await reader.subscribe(sessionId);
  await alice.say(sessionId, "go");
  await alice.until("plan.submitted");
  const history = await reader.call("chat.history", { sessionId, limit: 50 });
  const session = await reader.call("sessions.get", { sessionId });
  const audit = await reader.call("audit.list", { sessionId, limit: 100 });
  const shown = JSON.stringify([events, history, session, audit]);
  expect([shown.includes(token), shown.includes("[redacted]")]).toEqual([false, true]);
  expect(model.requests.some(({ entries }) => JSON.stringify(entries).includes(token))).toBe(false);
  const calls = history.items.flatMap(({ entry }) => (entry.kind === "result" ? [[entry.tool, entry.status]] : []));
  expect(calls).toEqual([
    ["exec", "error"],
    ["read", "error"],
    ["x_yyyyy", "error"],
    ["update_plan", "error"],
    ["exit_plan_mode", "error"],
    ["exit_plan_mode", "ok"],
  ]);
  reader.close();
  await here.stop();
  const files = readdirSync(here.home, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.db|\.sqlite|wal/.test(file),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => readFileSync(join(here.home, file)).includes(token))).toEqual([]);
});
