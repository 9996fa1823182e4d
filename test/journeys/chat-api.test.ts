/** A program that speaks OpenAI's form talks to an agent behind the gate. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../src/protocol/json.ts";
import { type ScriptStep, startTestGateway, systemClock, type TestGateway } from "../../src/testing/index.ts";

const STEP = { step: "Write made.txt", status: "pending" };
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "made.txt", content: "x" } }] };
const script: ScriptStep[] = [
  { say: "Hello." },
  { say: "Again." },
  { ...write, say: "I try." },
  { calls: [{ tool: "exit_plan_mode", args: { title: "Make it", plan: [STEP] } }] },
];

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  const settings = { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } };
  gateway = await startTestGateway({ settings, clock: systemClock, script });
  token = await tokenWith(["operator.write"]);
});
afterAll(() => gateway.stop());

async function tokenWith(scopes: ("operator.write" | "operator.read" | "operator.approvals")[]): Promise<string> {
  return (await gateway.client.call("tokens.create", { name: "a program", scopes })).secret;
}

const ask = (body: JsonObject, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const says = (...words: string[]) => words.map((content) => ({ role: "user", content }));

const Completion = z.object({
  object: z.literal("chat.completion"),
  model: z.string(),
  choices: z.tuple([
    z.object({ message: z.object({ role: z.literal("assistant"), content: z.string() }), finish_reason: z.string() }),
  ]),
});

async function contentOf(answer: Response): Promise<string> {
  return Completion.parse(await answer.json()).choices[0].message.content;
}

describe("the chat endpoint", () => {
  let session: string;

  it("[GW-01] answers with the agent's words and names the session, which goes on by its name", async () => {
    const history = [{ role: "system", content: "Be brief." }, ...says("Hi"), { role: "assistant", content: "Yes?" }];
    const answer = await ask({ model: "main", messages: [...history, ...says("Who are you?")], temperature: 0.2 });
    expect([answer.status, await contentOf(answer)]).toEqual([200, "Hello."]);
    session = answer.headers.get("holdpoint-session") ?? "";
    expect(JSON.stringify(gateway.model.requests.at(-1))).toContain("system: Be brief.");

    const next = await ask({ model: "main", messages: says("Hi", "And now?") }, { "holdpoint-session": session });
    expect([await contentOf(next), next.headers.get("holdpoint-session")]).toEqual(["Again.", session]);
    const sent = JSON.stringify(gateway.model.requests.at(-1));
    expect([sent.includes("And now?"), sent.includes("as the client reports it:\\n\\nuser: Hi\\n\\n---")]).toEqual([
      true,
      false,
    ]);
  });

  it("[GW-01, PL-01] streams, holds what the agent would change, and says where a person decides", async () => {
    const answer = await ask({ model: "main", messages: says("Make a file"), stream: true });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const frames = (await answer.text()).split("\n\n").filter((frame) => frame !== "");
    expect(frames.at(-1)).toBe("data: [DONE]");
    const Chunk = z.object({ choices: z.tuple([z.object({ delta: z.object({ content: z.string().optional() }) })]) });
    const words = frames.slice(0, -1).map((frame) => Chunk.parse(JSON.parse(frame.slice(6))).choices[0].delta.content);
    const id = answer.headers.get("holdpoint-session");
    expect(words.join("")).toMatch(
      new RegExp(`^I try\\.\\n\\n\\[Waits for a person \\(.*\\): http.*/sessions/${id}\\]$`),
    );
    expect(existsSync(join(gateway.workspace, "made.txt"))).toBe(false);
  });

  it("[GW-01, PL-20] decides nothing and takes nothing that it would not keep", async () => {
    const all = await tokenWith(["operator.write", "operator.approvals"]);
    const by = { authorization: `Bearer ${all}` };
    const wrong: [JsonObject, RegExp][] = [
      [{ model: "main", messages: says("/plan accept") }, /commands are not taken/],
      [{ model: "main", messages: [] }, /messages/],
      [{ model: "main", messages: says("  ") }, /empty/],
      [{ model: "main", messages: [{ role: "assistant", content: "me" }] }, /the user's/],
      [{ model: "main", messages: says("x"), n: 2 }, /n/],
      [{ model: "main", messages: says("x"), tools: [{}] }, /own tools/],
      [{ model: "main", messages: [{ role: "user", content: [{ type: "image_url" }] }] }, /only text/],
    ];
    for (const [body, message] of wrong) {
      const answer = await ask(body, by);
      expect([answer.status, JSON.stringify(await answer.json())]).toEqual([400, expect.stringMatching(message)]);
    }
    expect((await ask({ model: "another", messages: says("x") }, by)).status).toBe(403); // to choose an agent is an admin's
    const gone = await ask({ model: "main", messages: says("x") }, { "holdpoint-session": "ses_none" });
    expect(gone.status).toBe(404);
  });

  it("[GW-01, GW-09] is for tokens that may write, and for no page", async () => {
    const reader = await tokenWith(["operator.read"]);
    const statuses = await Promise.all(
      [{ authorization: "Bearer hp_wrong" }, { authorization: `Bearer ${reader}` }, { origin: gateway.url }].map(
        async (headers) => (await ask({ model: "main", messages: says("x") }, headers)).status,
      ),
    );
    expect(statuses).toEqual([401, 403, 403]);
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
    expect(await models.json()).toMatchObject({ data: [{ id: "main", object: "model" }] });
  });
});
