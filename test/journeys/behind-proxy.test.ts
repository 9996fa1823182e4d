/** The set-up of docs/guides/two-gateways.md: two gateways, one PostgreSQL, and a balancer that is never sticky. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type RunningGateway, startGateway } from "../../src/gateway.ts";
import { ask, httpRequest, type HttpReply } from "../kit/browser-login.ts";
import { postgresUrl } from "../kit/postgres.ts";
import { refusalIn, signed } from "../kit/presence-world.ts";
import { type RoundRobin, roundRobin } from "../kit/round-robin.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { softwareAuthenticator } from "../kit/software-authenticator.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const server = (await postgresUrl()) ?? "";
const GUIDE = new URL("../../docs/guides/two-gateways.md", import.meta.url);

/** One pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const submit: ScriptStep = {
  calls: [{ tool: "exit_plan_mode", args: { title: "Greet", plan: [{ step: "Say hello", status: "pending" }] } }],
};

/** The configuration that the guide tells people to write, on this database and under the balancer's address. */
function documented(url: string, port: number): string {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(GUIDE, "utf8")) ?? [];
  return yaml
    .replace(/postgres:\/\/\S+/, url)
    .replace("https://agents.example.org", `http://localhost:${port}`)
    .replace("host: 0.0.0.0", "host: 127.0.0.1")
    .replace("port: 4747", "port: 0");
}

async function freshDatabase(): Promise<string> {
  const name = `proxied_${randomUUID().replaceAll("-", "")}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

const Exchanged = z.object({ browserSecret: z.string(), tabSecret: z.string() });
const CreationOptions = z.object({ publicKey: z.object({ challenge: z.string(), rp: z.object({ id: z.string() }) }) });
const Tab = z.object({ tabSecret: z.string() });

describe.skipIf(server === "")("two gateways behind a balancer", () => {
  let balancer: RoundRobin;
  let gateways: RunningGateway[] = [];
  let address = "";
  let programs: WireClient[] = [];

  beforeAll(async () => {
    const url = await freshDatabase();
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-proxy-"));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    balancer = await roundRobin();
    address = `http://localhost:${balancer.port}`;
    closing.push(balancer.close);
    const workspace = join(folder, "work");
    await mkdir(workspace);
    gateways = await Promise.all(
      ["one", "two"].map(async (name) => {
        const home = join(folder, name);
        await mkdir(home, { mode: 0o700 });
        await writeFile(join(home, "config.yaml"), documented(url, balancer.port), { mode: 0o600 });
        const model = scriptedModel([submit, { say: "It waits." }]);
        const gateway = await startGateway({ home, workspace, log: "silent", model, env: {} });
        if ("alreadyRunning" in gateway) throw new Error("a fresh folder cannot be taken");
        return gateway;
      }),
    );
    closing.push(() => Promise.all(gateways.map((gateway) => gateway.stop())));
    balancer.targets.push(...gateways.map(({ port }) => ({ port })));
    programs = await Promise.all(
      gateways.map(({ url: at, operatorToken }) => wireClient({ url: at, token: operatorToken })),
    );
    closing.push(async () => programs.forEach((client) => client.close()));
  });

  const through = (path: string, body: unknown, cookie?: string): Promise<HttpReply> =>
    // a connection for each request, so that the next one goes to the other gateway
    ask({ url: address }, path, { body, headers: { connection: "close", cookie } });
  const program = (index: number): WireClient => {
    const client = programs[index];
    if (client === undefined) throw new Error("no such gateway");
    return client;
  };

  type Browser = { cookie: string; browserSecret: string; tabSecret: string };

  /** The link is made at the first gateway; the exchange goes wherever the balancer sends it. */
  async function browser(): Promise<Browser> {
    const { fragment } = await program(0).must("tokens.link", {});
    const reply = await through("/auth/exchange", { code: fragment.replace("#login=", "") });
    expect(reply.status).toBe(200);
    const cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    return { ...Exchanged.parse(JSON.parse(reply.body)), cookie };
  }
  const tabOf = ({ cookie, tabSecret }: Browser): Promise<WireClient> =>
    wireClient({ url: address, tabSecret, headers: { cookie, origin: address }, name: "page" });

  it("[SC-02, GW-03] a link made at one logs in at any, once, and its tabs are known to all", async () => {
    const { fragment } = await program(0).must("tokens.link", {});
    const code = fragment.replace("#login=", "");
    const replies = [await through("/auth/exchange", { code }), await through("/auth/exchange", { code })];
    expect(replies.map(({ status }) => status)).toEqual([200, 401]);
    const found = await browser();
    for (let n = 0; n < 4; n++) {
      const opened = await through("/auth/tab", { browserSecret: found.browserSecret }, found.cookie);
      expect(opened.status).toBe(200);
      const { tabSecret } = Tab.parse(JSON.parse(opened.body));
      (await tabOf({ ...found, tabSecret })).close();
    }
    expect(Math.min(...balancer.taken())).toBeGreaterThan(2);
  });

  it("[SC-02] a token made at one is good at the other at once", async () => {
    const { secret } = await program(0).must("tokens.create", { name: "ci", scopes: ["operator.read"] });
    for (const { url } of gateways) {
      const client = await wireClient({ url, token: secret });
      expect((await client.must("health", {})).ready).toBe(true);
      client.close();
    }
  });

  it("[SC-02, GW-10] a passkey enrolled at one decides at the other, and a challenge of one is answered at the other", async () => {
    const key = softwareAuthenticator(address);
    const code = (await program(0).must("passkeys.link", {})).link.split("#passkey=")[1] ?? "";
    const options = await through("/auth/passkey/options", { code });
    const { publicKey } = CreationOptions.parse(JSON.parse(options.body));
    const enrolled = await through("/auth/passkey/enrol", { code, name: "key", response: key.create(publicKey) });
    expect([options.status, enrolled.status]).toEqual([200, 200]);
    const found = await browser();
    const [here, there] = [await tabOf(found), await tabOf(found)];
    const presence = signed(key, refusalIn(await here.request("passkeys.link", {})));
    expect((await there.must("passkeys.link", { presence })).link).toContain(address);
    for (const client of [here, there]) client.close();
  });

  it("[SC-02] a plan submitted at one is shared, read and decided at the other, and a file sent there is read here", async () => {
    const { session } = await program(0).must("sessions.create", {});
    const sessionId = session.id;
    await program(0).must("sessions.patch", { sessionId, planMode: "plan" } as never);
    await program(0).must("chat.send", { sessionId, text: "please", attachments: [{ name: "dot.png", bytes: DOT }] });
    const plans = () => program(1).must("plans.list" as never, { sessionId } as never);
    const Listed = z.object({ plans: z.array(z.object({ planId: z.string(), approvalId: z.string() })) });
    await expect.poll(async () => Listed.parse(await plans()).plans.length).toBe(1);
    const [plan] = Listed.parse(await plans()).plans;
    const shared = z
      .object({ path: z.string() })
      .parse(await program(0).must("plans.share" as never, { planId: plan?.planId } as never));
    for (const { url } of gateways) expect((await httpRequest(`${url}${shared.path}`)).status).toBe(200);
    const [, id = ""] =
      /"id":"(att_[^"]+)"/.exec(JSON.stringify(await program(1).must("chat.history", { sessionId }))) ?? [];
    const { attachment } = await program(1).must("chat.attachment", { sessionId, id });
    expect(attachment.bytes).toBe(DOT);
    const approval = { action: "approve", approvalId: plan?.approvalId };
    await program(1).must("sessions.patch", { sessionId, planApproval: approval } as never);
  });

  it("[SC-02] when one gateway stops, the same browser goes on at the other", async () => {
    const found = await browser();
    await gateways[0]?.stop();
    const opened = await through("/auth/tab", { browserSecret: found.browserSecret }, found.cookie);
    expect(opened.status).toBe(200);
    const tab = await tabOf({ ...found, ...Tab.parse(JSON.parse(opened.body)) });
    expect((await tab.must("health", {})).ready).toBe(true);
    tab.close();
  });
});
