/** From a person's click or message to the moment at which the model is asked. */
import type { GatewayChild } from "../test/kit/gateway-child.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { pendingApproval } from "../test/chaos/people.ts";
import { figure, type Group, percentile } from "./figure.ts";
import { withGateway } from "./gateway.ts";

const ROUNDS = 100;

export const turn: Group = async (report) => {
  await withGateway(async ({ gateway }) => {
    const client = await wireClient(gateway);
    const messages: number[] = [];
    const decisions: number[] = [];
    for (let n = 0; n <= ROUNDS; n++) {
      const one = await cycle(gateway, client);
      messages.push(one.messageMs);
      decisions.push(one.decisionMs);
    }
    const [first = Number.NaN, ...later] = messages;
    report(figure("message → model request, the first", first, "ms"));
    report(figure("message → model request, p50", percentile(later, 50), "ms"));
    report(figure("message → model request, p99", percentile(later, 99), "ms"));
    report(figure("decision → next model request, p50", percentile(decisions.slice(1), 50), "ms"));
    report(figure("decision → next model request, p99", percentile(decisions.slice(1), 99), "ms"));
    client.close();
  });
};

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
