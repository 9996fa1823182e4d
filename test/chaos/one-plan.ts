/** Gateways in this process, with the chaos model, and a session of theirs whose plan waits for a person. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGateway } from "../../src/gateway.ts";
import { type FakeClock, fakeClock } from "../kit/fake-clock.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { chaosModel } from "./chaos-model.ts";
import { pendingApproval } from "./people.ts";

export type TestGateway = { url: string; token: string; home: string; clock: FakeClock; stop(): Promise<void> };

/** `postgresUrl` puts the gateway on that database; without one it has a SQLite file of its own. */
export async function testGateway(parts: { clock: FakeClock; postgresUrl?: string }): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-plan-"));
  const home = join(folder, "home");
  const workspace = join(folder, "work");
  await mkdir(workspace);
  if (parts.postgresUrl !== undefined) await configure(home, parts.postgresUrl);
  const { clock } = parts;
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model: chaosModel(), clock });
  if ("alreadyRunning" in gateway) throw new Error("a fresh folder cannot be taken");
  return {
    url: gateway.url,
    token: gateway.operatorToken,
    home,
    clock,
    async stop() {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function configure(home: string, url: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const planMode = { enabled: true, defaultActive: true };
  const config = { store: { kind: "postgres", url }, agents: { defaults: { planMode } } };
  await writeFile(join(home, "config.yaml"), JSON.stringify(config), { mode: 0o600 }); // JSON is YAML
}

export const testClock = (): FakeClock => fakeClock(Date.now());

export type Waiting = { sessionId: string; approvalId: string; deadlineAtMs: number };

/** A new session whose agent has submitted its plan and come to rest. */
export async function submittedPlan(client: WireClient): Promise<Waiting> {
  const { session } = await client.must("sessions.create", {});
  const sessionId = session.id;
  const resting = Promise.withResolvers<void>();
  const stop = client.onEvent(({ event }) => void (event === "turn.finished" && resting.resolve()));
  await client.must("sessions.subscribe", { sessionId });
  await client.must("chat.send", { sessionId, text: "please" });
  await resting.promise;
  stop();
  await client.must("sessions.unsubscribe", { sessionId });
  const view = await client.must("sessions.get", { sessionId });
  const approvalId = pendingApproval(view.session);
  if (approvalId === undefined) throw new Error("the agent did not submit a plan");
  return { sessionId, approvalId, deadlineAtMs: view.session.waiting?.deadlineMs ?? 0 };
}

/** One connection for each of so many operators, each with a token of their own, spread over the gateways. */
export async function operators(gateways: readonly TestGateway[], count: number): Promise<WireClient[]> {
  const [first] = gateways;
  if (first === undefined) throw new Error("no gateway");
  const admin = await wireClient(first);
  const secrets = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const scopes = ["operator.read", "operator.write", "operator.approvals"] as const;
      return (await admin.must("tokens.create", { name: `person ${n}`, scopes: [...scopes] })).secret;
    }),
  );
  admin.close();
  return Promise.all(
    secrets.map((token, n) => wireClient({ url: (gateways[n % gateways.length] ?? first).url, token })),
  );
}
