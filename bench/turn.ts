/** From a person's click or message to the moment at which the model is asked. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { GatewayChild } from "../test/kit/gateway-child.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { pendingApproval } from "../test/chaos/people.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";
import { withGateway } from "./gateway.ts";

const ROUNDS = 60;
const FRESH_STARTS = 5;
const SKILLS = 20;
const AGENTS_BYTES = 65_536;

type Workspace = { name: string; prepare?: (home: string) => Promise<void> };

/** Beside a durable patch over the same wire, taken in between: whatever else the machine does slows both. */
export const turn: Group = async (report) => {
  for (const workspace of [{ name: "an empty workspace" }, { name: "64 KiB AGENTS.md, 20 skills", prepare: furnish }]) {
    await firstTurns(report, workspace);
    await laterTurns(report, workspace);
  }
};

async function firstTurns(report: Parameters<Group>[0], { name, prepare }: Workspace): Promise<void> {
  const firsts: number[] = [];
  const patches: number[] = [];
  for (let n = 0; n < FRESH_STARTS; n++) {
    await withGateway(async ({ gateway }) => {
      const client = await wireClient(gateway);
      firsts.push((await cycle(gateway, client)).messageMs);
      patches.push(await patched(client));
      client.close();
    }, prepare);
  }
  const made = figure(`message → model request, the first, ${name}`, median(firsts), "ms");
  report(against(median(patches), made));
}

async function laterTurns(report: Parameters<Group>[0], { name, prepare }: Workspace): Promise<void> {
  await withGateway(async ({ gateway }) => {
    const client = await wireClient(gateway);
    const [messages, decisions, patches]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n <= ROUNDS; n++) {
      const one = await cycle(gateway, client);
      patches.push(await patched(client));
      if (n === 0) continue;
      messages.push(one.messageMs);
      decisions.push(one.decisionMs);
    }
    for (const percent of [50, 99]) {
      const beside = percentile(patches.slice(1), percent);
      const tell = (what: string, values: readonly number[]): void =>
        report(against(beside, figure(`${what}, p${percent}, ${name}`, percentile(values, percent), "ms")));
      tell("message → model request", messages);
      tell("decision → next model request", decisions);
    }
    client.close();
  }, prepare);
}

/** What one commit costs here, from the client and back. */
async function patched(client: WireClient): Promise<number> {
  const { session } = await client.must("sessions.create", {});
  const startedAtMs = performance.now();
  await client.must("sessions.patch", { sessionId: session.id, title: "measured" });
  return performance.now() - startedAtMs;
}

/** `home` stands beside the workspace. */
async function furnish(home: string): Promise<void> {
  const workspace = join(home, "..", "work");
  const line = "Run the tests before you push; ask when a rule is unclear, and keep functions short.\n";
  await writeFile(join(workspace, "AGENTS.md"), line.repeat(AGENTS_BYTES / line.length));
  for (let n = 0; n < SKILLS; n++) {
    const folder = join(workspace, "skills", `skill-${n}`);
    await mkdir(folder, { recursive: true });
    const head = `---\nname: skill-${n}\ndescription: How to do the work number ${n} in this project.\n---\n`;
    await writeFile(join(folder, "SKILL.md"), head + line.repeat(20));
  }
}

const now = (): number => performance.timeOrigin + performance.now();

async function cycle(gateway: GatewayChild, client: WireClient): Promise<{ messageMs: number; decisionMs: number }> {
  const { session } = await client.must("sessions.create", {});
  const sessionId = session.id;
  await client.must("sessions.subscribe", { sessionId });
  const submitted = heard(client, { event: "plan.submitted", sessionId });
  const messageMs = await untilAsked(gateway, () => client.must("chat.send", { sessionId, text: "please" }));
  await submitted;
  const idle = heard(client, { event: "turn.finished", sessionId });
  const view = await client.must("sessions.get", { sessionId });
  const approvalId = pendingApproval(view.session) as never;
  if (view.session.turn.status !== "idle") await idle;
  const planApproval = { action: "approve", approvalId } as const;
  const done = heard(client, { event: "plan.completed", sessionId });
  const decisionMs = await untilAsked(gateway, () => client.must("sessions.patch", { sessionId, planApproval }));
  await done;
  await client.must("sessions.unsubscribe", { sessionId });
  return { messageMs, decisionMs };
}

async function untilAsked(gateway: GatewayChild, act: () => Promise<unknown>): Promise<number> {
  const asked = gateway.next("modelAskedAtMs");
  const startedAtMs = now();
  await act();
  return ((await asked).modelAskedAtMs ?? Number.NaN) - startedAtMs;
}

function heard(client: WireClient, wanted: { event: string; sessionId: string }): Promise<void> {
  return new Promise((resolve) => {
    const stop = client.onEvent(({ event, payload }) => {
      const { sessionId } = payload as { sessionId?: string };
      if (event !== wanted.event || (sessionId !== undefined && sessionId !== wanted.sessionId)) return;
      stop();
      resolve();
    });
  });
}
