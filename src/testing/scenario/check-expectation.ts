/** Compares what a scenario expects with how things are, and says the first difference. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlanModeState } from "../../plan-mode/protocol/state.ts";
import { readPlan } from "../../plan-mode/read-plan.ts";
import { PlanStep } from "../../plan-mode/protocol/plan.ts";
import type { TestGateway } from "../test-gateway.ts";
import type { TestSession } from "../test-session.ts";
import type { Expectation } from "./scenario.ts";

type Seen = { gateway: TestGateway; session: TestSession; count(event: string): number };

/** Undefined: all is as expected. */
export async function checkExpectation(expected: Expectation, seen: Seen): Promise<string | undefined> {
  for (const check of CHECKS) {
    const difference = await check(expected, seen);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const REASON_CHARS_MAX = 4_000;

type Check = (expected: Expectation, seen: Seen) => Promise<string | undefined>;

const differs = (what: string, expected: unknown, found: unknown): string | undefined =>
  JSON.stringify(expected) === JSON.stringify(found)
    ? undefined
    : `${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;

function missing(what: string, wanted: readonly string[] | undefined, found: string): string | undefined {
  const absent = wanted?.find((text) => !found.includes(text));
  return absent === undefined
    ? undefined
    : `${what} does not hold ${JSON.stringify(absent)}: ${found.slice(-REASON_CHARS_MAX)}`;
}

const planChecks: Check = async ({ mode, phase, title, steps }, { session }) => {
  if ([mode, phase, title, steps].every((one) => one === undefined)) return undefined;
  const state = readPlan((await session.view()).slices);
  if (state === undefined) return "the state of plan mode cannot be read";
  return (
    (mode === undefined ? undefined : differs("mode", mode, state.now.mode)) ??
    (phase === undefined ? undefined : differs("phase", phase, state.now.phase)) ??
    (title === undefined ? undefined : differs("title", title, titleOf(state))) ??
    (steps === undefined
      ? undefined
      : differs(
          "steps",
          steps,
          state.now.steps.map((step) => PlanStep.parse(step).status),
        ))
  );
};

const titleOf = ({ now }: PlanModeState): string | undefined =>
  "submission" in now ? now.submission.title : undefined;

const eventChecks: Check = async ({ events = {} }, { count }) => {
  for (const [event, times] of Object.entries(events)) {
    const difference = differs(`the number of ${event}`, times, count(event));
    if (difference !== undefined) return difference;
  }
  return undefined;
};

const fileChecks: Check = async ({ files = {} }, { gateway }) => {
  for (const [path, text] of Object.entries(files)) {
    const found = await readFile(join(gateway.workspace, path), "utf8").catch(() => null);
    const difference = differs(path, text, found);
    if (difference !== undefined) return difference;
  }
  return undefined;
};

/** With what the tool answered: that says why. */
function statusProblem(expected: string, { tool, status, content }: { tool: string; status: string; content: string }) {
  const problem = differs(`the status of ${tool}`, expected, status);
  return problem === undefined ? undefined : `${problem}: ${content.slice(0, REASON_CHARS_MAX)}`;
}

const resultCheck: Check = async ({ result }, { session }) => {
  if (result === undefined) return undefined;
  const last = (await session.results()).findLast(({ tool }) => tool === result.tool);
  if (last === undefined) return `there is no result of ${result.tool}`;
  const content = JSON.stringify(last.content);
  return (
    (result.status === undefined ? undefined : statusProblem(result.status, { ...last, content })) ??
    missing(`the result of ${result.tool}`, result.contains, content)
  );
};

const talkChecks: Check = async ({ input, notInput, notice }, { session }) => {
  const received = input === undefined && notInput === undefined ? "" : ((await session.inputs()).at(-1) ?? "");
  const unwanted = notInput?.find((text) => received.includes(text));
  if (unwanted !== undefined) return `what the model received holds ${JSON.stringify(unwanted)}`;
  const notices = notice === undefined ? "" : (await session.notices()).join("\n");
  return missing("what the model received", input, received) ?? missing("what people were told", notice, notices);
};

const promptChecks: Check = async ({ prompt, notPrompt }, { gateway }) => {
  const system = gateway.model.requests.at(-1)?.system ?? "";
  const unwanted = notPrompt?.find((text) => system.includes(text));
  if (notPrompt !== undefined && system === "") return "the model was not asked";
  return unwanted === undefined
    ? missing("the prompt", prompt, system)
    : `the prompt holds ${JSON.stringify(unwanted)}`;
};

const gatewayChecks: Check = async ({ requests, auditIntact, waiting }, { gateway, session }) => {
  const asked =
    requests === undefined ? undefined : differs("the number of requests", requests, gateway.model.requests.length);
  if (asked !== undefined) return asked;
  if (auditIntact !== undefined) {
    const { verdict } = await gateway.client.call("audit.verify", {});
    const difference = differs("the audit chain's soundness", auditIntact, verdict.intact);
    if (difference !== undefined) return difference;
  }
  if (waiting === undefined) return undefined;
  const { sessions } = await gateway.client.call("sessions.list", { waiting: true, limit: 200 });
  return differs("what waits", waiting, sessions.find(({ id }) => id === session.id)?.waiting?.kind ?? null);
};

const CHECKS: readonly Check[] = [
  planChecks,
  eventChecks,
  fileChecks,
  resultCheck,
  talkChecks,
  promptChecks,
  gatewayChecks,
];
