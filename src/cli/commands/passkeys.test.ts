/** Passkeys with a whole gateway: the name of its page, the terminal's commands, and the log that is verified offline. */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { logIn } from "../../../test/kit/browser-login.ts";
import { approve, codeIn, enrol, signedLink } from "../../../test/kit/presence-world.ts";
import { scriptedModel } from "../../../test/kit/scripted-model.ts";
import { softwareAuthenticator } from "../../../test/kit/software-authenticator.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { wireClient } from "../../../test/kit/wire-client.ts";
import { startGateway } from "../../gateway.ts";
import { runProgram } from "../program.ts";

const CONFIG = `
agents:
  defaults:
    planMode: { enabled: true, defaultActive: true }
approvals:
  presence: passkey
`;

const PLAN = { title: "Paint the shed", plan: [{ step: "buy paint", status: "pending" }] };

async function homeWith(config: string): Promise<string> {
  const home = join(temporaryFolder(), "home");
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, "config.yaml"), config, { mode: 0o600 });
  return home;
}

async function start(home: string, port = 0) {
  const model = scriptedModel((_request, number) =>
    number === 1 ? { calls: [{ tool: "exit_plan_mode", args: PLAN }] } : { say: "done" },
  );
  const gateway = await startGateway({ home, workspace: temporaryFolder(), port, log: "silent", model, env: {} });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  return gateway;
}

function terminal(home: string) {
  return async (...argv: string[]) => {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const around = { stdin, terminal: stdout, cwd: home, env: { PATH: process.env["PATH"], HOLDPOINT_HOME: home } };
    const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
    return { code, ...said };
  };
}

type Reply = { status: number; location: string | undefined };

/** A request under the name `localhost`, over one of its two addresses. */
function opened(address: string, port: number, { method, path }: { method: string; path: string }): Promise<Reply> {
  const name = `localhost:${port}`;
  const headers = {
    host: name,
    ...(method === "POST" ? { origin: `http://${name}`, "content-type": "application/json" } : {}),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path, method, headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
    });
    asked.once("error", reject);
    asked.end(method === "POST" ? '{"browserSecret":"x"}' : undefined);
  });
}

const VIEW = { method: "GET", path: "/settings" };
/** 401: a page of ours without a log-in; 403: no page of ours. */
const TAB = { method: "POST", path: "/auth/tab" };

describe("a page with passkeys", () => {
  it("[GW-10] is opened as localhost, and both addresses of that name are ours", async () => {
    const gateway = await start(await homeWith(CONFIG));
    onTestFinished(() => gateway.stop());
    const { port } = gateway;
    expect(await gateway.link()).toMatch(new RegExp(`^http://localhost:${port}/#login=`));
    const byName = await opened("127.0.0.1", port, TAB);
    expect(byName.status).toBe(401);
    const other = await opened("::1", port, TAB).catch((error: NodeJS.ErrnoException) => error.code);
    expect([byName, "EADDRNOTAVAIL"]).toContainEqual(other); // the second where this machine has no ::1
  });

  it("[GW-10, GW-03] stays opened by address where no passkey is asked for", async () => {
    const gateway = await start(await homeWith(CONFIG.replace("presence: passkey", "presence: none")));
    onTestFinished(() => gateway.stop());
    expect(await gateway.link()).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await opened("127.0.0.1", gateway.port, VIEW)).toMatchObject({ status: 307 });
    expect(await opened("127.0.0.1", gateway.port, TAB)).toMatchObject({ status: 403 });
  });

  it("[GW-10] is not opened as localhost while another program answers to that name, and says so", async (test) => {
    const squatter = createServer();
    squatter.listen({ host: "::1", port: 0 });
    const [failed] = await Promise.race([once(squatter, "listening"), once(squatter, "error")]);
    if (failed !== undefined) return test.skip("this machine has no ::1");
    onTestFinished(() => void squatter.close());
    const address = squatter.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const home = await homeWith(CONFIG);
    const gateway = await start(home, port);
    onTestFinished(() => gateway.stop());
    expect(await gateway.link()).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await opened("127.0.0.1", port, VIEW)).toMatchObject({ status: 307 });
    expect(await opened("127.0.0.1", port, TAB)).toMatchObject({ status: 403 });
    const { stdout } = await terminal(home)("status");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("another program answers at localhost");
  });

  it("[GW-10] has doctor say where passkeys cannot work", async () => {
    const home = await homeWith(`${CONFIG}gateway:\n  pageAddress: http://192.168.1.5:4747\n`);
    const { presence } = await import("../doctor/checks.ts");
    expect(await presence({ HOLDPOINT_HOME: home })).toMatchObject({ level: "fail", name: "presence" });
    const named = await homeWith(`${CONFIG}gateway:\n  pageAddress: https://gate.example.org\n`);
    expect(await presence({ HOLDPOINT_HOME: named })).toMatchObject({
      level: "ok",
      detail: "Decisions are signed with passkeys, on https://gate.example.org.",
    });
    expect(await presence({ HOLDPOINT_HOME: await homeWith("") })).toMatchObject({ level: "ok" });
  });
});

it("[GW-10, GW-08] the terminal makes links, lists, revokes and recovers; the log is verified running, stopped and exported", async () => {
  const home = await homeWith(CONFIG);
  const run = terminal(home);
  const gateway = await start(home);
  const { port, url, operatorToken } = gateway;
  const origin = `http://localhost:${port}`;
  const made = await run("passkeys", "link", "local");
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`^${origin}/#passkey=`)) });
  const key = softwareAuthenticator(origin);
  expect(await enrol({ url } as never, { link: made.stdout.trim(), key })).toMatchObject({ status: 200 });
  expect((await run("passkeys", "list")).stdout).toContain("Test key");

  const program = await wireClient({ url, token: operatorToken });
  const login = (await gateway.link()).split("#login=")[1] ?? "";
  const { cookie, tabSecret } = await logIn({ url } as never, login);
  const browser = await wireClient({ url, tabSecret, headers: { cookie, origin } });
  const alice = { id: "", program, browser, key };
  const { session } = await program.must("sessions.create", { agentId: "main" });
  const { id: sessionId } = session;
  await program.must("chat.send", { sessionId, text: "paint the shed" });
  const card = async () =>
    (await program.must("sessions.get", { sessionId })).session.cards?.find(({ kind }) => kind === "approval");
  await expect.poll(card).toBeDefined();
  const waiting = await card();
  if (waiting?.kind !== "approval") throw new Error("no plan waits");
  const plan = { sessionId, approvalId: waiting.id, digest: waiting.digest ?? "" };
  const unnamed = await run("plan", "accept", "--session", sessionId);
  const [, code = ""] = /plan\s+accept\s+([0-9a-f]{6})/.exec(unnamed.stderr) ?? [];
  const refused = await run("plan", "accept", code, "--session", sessionId);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr.replaceAll(/\s+/g, "")).toContain(`${origin}/sessions/${sessionId}#login=`);
  expect(await approve(alice, plan)).toMatchObject({ ok: true });

  const verified = await run("audit", "verify", "--signed");
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("1 signature of a passkey holds") });
  const exported = join(home, "rows.jsonl");
  await writeFile(exported, (await run("audit", "list", "--json", "--limit", "500")).stdout);
  const another = await signedLink(alice, (await program.must("passkeys.list", {})).passkeys[0]?.operatorId ?? "");
  expect(codeIn(another)).not.toBe("");
  expect(await run("passkeys", "recover", "local")).toMatchObject({ code: 6 });
  for (const client of [program, browser]) client.close();
  await gateway.stop();

  expect(await run("audit", "verify")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 signatures of passkeys hold"),
  });
  expect(await run("audit", "verify", "--file", exported)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 signature of a passkey holds"),
  });
  const recovered = await run("passkeys", "recover", "local");
  expect(recovered).toMatchObject({ code: 0 });
  const again = await start(home, port);
  onTestFinished(() => again.stop());
  const fresh = softwareAuthenticator(`http://localhost:${port}`);
  const link = recovered.stdout.trim().replace(/localhost:\d+/, `localhost:${port}`);
  expect(await enrol({ url: again.url } as never, { link, key: fresh })).toMatchObject({ status: 200 });
  const { passkeys } = JSON.parse((await run("passkeys", "list", "--json")).stdout) as {
    passkeys: { state: string; fingerprint: string }[];
  };
  expect(passkeys.map(({ state }) => state)).toEqual(["revoked", "usable"]);
  expect(await run("passkeys", "revoke", passkeys[1]?.fingerprint ?? "")).toMatchObject({ code: 0 });
  expect(await run("audit", "verify")).toMatchObject({ code: 0 });
});
