/** `holdpoint gate doctor`: tries to get past the gate in plan mode and past the runner after it, and reports (GA-11, GA-13). */
import { homePath } from "../../../config/home.ts";
import { loadConfig } from "../../../config/load.ts";
import { planOverview } from "../../../plan-mode/protocol/plan-overview.ts";
import { readPlan } from "../../../plan-mode/read-plan.ts";
import { chosenBuilders, probedSandbox } from "../../../runner/sandbox.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { openLink } from "../../gateway-link.ts";
import { createProberModel } from "../doctor/prober-model.ts";
import { tryGuest } from "../doctor/guest-claims.ts";
import { tryKeeper } from "../doctor/keeper-claims.ts";
import { probesFor } from "../doctor/probes.ts";
import { tryPromises } from "../doctor/promise-claims.ts";
import { tryRunner } from "../doctor/runner-claims.ts";
import { sandboxVerdict } from "../doctor/sandbox-verdict.ts";
import { type AgentSeen, tryAgents } from "../agents/try-agents.ts";
import { openThrowAway, type ThrowAway } from "../doctor/throw-away.ts";
import { type Attempt, learnTools, type ProbeSession, silentServer, tryChild, tryProbe } from "../doctor/try-probe.ts";
import { createToolFacts } from "../tool-facts.ts";
import type { Look } from "../../text/paint.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { hang } from "../../text/wrap.ts";

const SOURCE_COLUMNS = 15;
const MARK_COLUMNS = 7;

/** `agents`: those of others too, as far as they are installed; `only`: nothing but them. */
export type DoctorOptions = { agents: boolean; onlyAgents?: boolean };

export async function gateDoctor(
  { agents, onlyAgents: only }: DoctorOptions,
  context: CommandContext,
): Promise<number> {
  const { output, env } = context;
  let agentsSeen: AgentSeen[] = [];
  const model = createProberModel();
  const gateway = await openThrowAway(env, model);
  const attempts: Attempt[] = [];
  const report = (attempt: Attempt): void => {
    attempts.push(attempt);
    output.lines(attemptLines(attempt, output.look()));
  };
  try {
    const entered = await enterPlanMode(gateway);
    report(entered.attempt);
    if (entered.attempt.held && only !== true) await tryAll({ gateway, model, sessionId: entered.sessionId }, report);
    if (agents) agentsSeen = await tryAgents({ env, gatewayHome: gateway.home, report });
  } finally {
    await gateway.remove();
  }
  const { config } = await loadConfig(homePath(env), env);
  if (only !== true) {
    await tryPromises(config, report);
    await tryKeeper(env, report);
  }
  const sandbox = probedSandbox({ builders: chosenBuilders(env) });
  const kind = await sandbox.kind();
  const hasSandbox = kind !== "none";
  const { sandbox: setting, hideStateFolder } = config.tools.exec;
  const verdict = sandboxVerdict({
    kind,
    isUncertain: sandbox.isUncertain(),
    platform: process.platform,
    settings: { sandbox: setting, hideStateFolder },
    failed: attempts.filter(({ held }) => !held).length,
  });
  output.lines(["", ...hang("", verdict, output.look().columns)]);
  const holds = attempts.every(({ held }) => held);
  output.document({
    ok: holds,
    sandbox: hasSandbox,
    sandboxUncertain: sandbox.isUncertain(),
    attempts,
    agents: agentsSeen,
  });
  return (holds ? EXIT_CODES.ok : EXIT_CODES.failed).code;
}

async function tryAll(session: ProbeSession, report: (attempt: Attempt) => void): Promise<void> {
  for (const server of await learnTools(session)) report(silentServer(server));
  const installation = { ...session.gateway, facts: createToolFacts() };
  for (const probe of await probesFor(session.model.offered(), installation)) report(await tryProbe(probe, session));
  const child = await tryChild(session);
  if (child !== undefined) report(child);
  report(await strangersToken(session.gateway));
  await tryGuest(session, report);
  await tryRunner(session, report); // last: it leaves plan mode
}

async function enterPlanMode({ link, workspace }: ThrowAway) {
  const { session } = await link.call("sessions.create", { workspace, title: "gate doctor" });
  const sessionId = session.id;
  await link.follow(sessionId, () => undefined);
  const refusal = await link.call("sessions.patch", { sessionId, planMode: "plan" }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const now = await link.call("sessions.get", { sessionId });
  const state = readPlan(now.session.slices);
  const held = state !== undefined && planOverview(state).mode === "plan";
  const detail = held ? "The session is in plan mode." : (refusal ?? "The session did not enter plan mode.");
  return { sessionId, attempt: { source: "plan mode", what: "enter plan mode", held, detail } };
}

/** The agent has no credentials: a connection without an operator's token is refused. */
async function strangersToken({ url }: ThrowAway): Promise<Attempt> {
  const about = { source: "decision", what: "connect without an operator's token" };
  try {
    const link = await openLink({ url, token: "hp_made-up" }, { stay: false });
    link.close();
    return { ...about, held: false, detail: "The gateway let a stranger in." };
  } catch {
    return { ...about, held: true, detail: "The gateway refused the connection." };
  }
}

function attemptLines({ source, what, held, detail, door }: Attempt, { columns, paint }: Look): string[] {
  const stroke = held && (door ?? "closed") === "closed" ? paint.good : paint.bad;
  const mark = door === "untried" ? "?" : (door ?? (held ? "ok" : "FAIL"));
  const [first = "", ...rest] = hang(
    mark.padEnd(MARK_COLUMNS) + source.padEnd(SOURCE_COLUMNS),
    sanitiseLine(`${what}: ${detail}`),
    columns,
  );
  return [stroke(first.slice(0, MARK_COLUMNS)) + first.slice(MARK_COLUMNS), ...rest];
}
