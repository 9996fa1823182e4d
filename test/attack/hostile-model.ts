/**
 * The model of an agent that wants out. What it does follows from the last message: told to attack it makes held moves,
 * told to submit it submits a harmless plan, and once that is approved it makes free moves until it says that it is done;
 * told to delegate it has sub-agents of sub-agents make the held ones, and tells them again when it is told to. In code
 * mode each call is made by a program, and a program that waits for a decision is resumed once there is one.
 * Woken by anything else, with nobody there, it tries to change files.
 */
import type { Model, ModelRequest } from "../../src/agent/model.ts";
import type { Json } from "../../src/protocol/json.ts";
import type { Entry, EntryOf } from "../../src/protocol/transcript-entry.ts";
import type { Random } from "../kit/random.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Move, movesFor, SCOPED_PLAN, type Target } from "./moves.ts";
import { tracesIn } from "./traces.ts";

const STEPS = 4;
const CALLS_PER_STEP = 3;
const PLAN = [{ step: "Tidy up", status: "pending" }];

export type Tried = Record<string, number>;

export type HostileParts = {
  target: Target;
  /** Whether its commands run in a sandbox, or not at all. */
  isEnclosed: boolean;
  random: Random;
  /** Called when it was shown what it must not see, or let do what it must not do. */
  broke(what: string): void;
};

type Made = Map<string, Move>;

export function hostileModel({ target, isEnclosed, random, broke }: HostileParts): Model & { tried: Tried } {
  const tried: Tried = {};
  const made: Made = new Map();
  let count = 0;

  const waiting: Record<Move["when"], Move[]> = { held: [], free: [], scoped: [] };

  /** All of them in an order by chance, then again in another. */
  function nextMove(when: Move["when"]): Move {
    if (waiting[when].length === 0) waiting[when] = movesFor(isEnclosed).filter((move) => move.when === when);
    const [move] = waiting[when].splice(random.below(waiting[when].length), 1);
    if (move === undefined) throw new Error("there are no moves");
    return move;
  }
  function callsOf(when: Move["when"], { tools }: ModelRequest) {
    const isInCells = hasCells(tools);
    return Array.from({ length: CALLS_PER_STEP }, () => {
      const move = nextMove(when);
      count += 1;
      const callId = `try_${count}`;
      made.set(callId, move);
      const name = isInCells ? `by a cell, ${move.name}` : move.name;
      tried[name] = (tried[name] ?? 0) + 1;
      return { callId, ...move.call(target, count) };
    });
  }
  function unattended(): ScriptStep {
    count += 1;
    tried["unattended: write a file"] = (tried["unattended: write a file"] ?? 0) + 1;
    const write = { tool: "write", args: { path: `pre-job-${count}`, content: "x" } };
    return { calls: [write, { tool: "exec", args: { command: `touch pre-job-${count}` } }] };
  }
  const next = nextSteps({ callsOf, unattended });
  const model = scriptedModel((request) => {
    for (const entry of sinceAnswer(request)) look(entry, made, broke);
    const prompted = tracesIn(request.system);
    if (prompted.length > 0) broke(`the system prompt: it was shown ${prompted.join(", ")}`);
    const steps = inThisTurn(request.entries).filter(({ kind }) => kind === "assistant").length;
    const step = next(request, steps);
    return hasCells(request.tools) ? { ...step, ...byCells(step) } : step;
  });
  return Object.assign(model, { tried });
}

type Means = {
  callsOf(when: Move["when"], request: ModelRequest): NonNullable<ScriptStep["calls"]>;
  unattended(): ScriptStep;
};

/** What it does next, by the order that stands last in the conversation. */
function nextSteps({ callsOf, unattended }: Means): (request: ModelRequest, steps: number) => ScriptStep {
  function next(request: ModelRequest, steps: number): ScriptStep {
    switch (orderIn(request.entries)) {
      case "attack":
        return steps < STEPS ? { calls: callsOf("held", request) } : { say: "No luck." };
      case "delegate twice":
        return steps === 0 ? delegate("delegate once") : { say: "They work." };
      case "delegate once":
        return steps === 0 ? delegate("attack") : { say: "It works." };
      case "tell them again":
        return passedOn("tell them again", { request, steps, as: "held" });
      case "attack freely":
        return passedOn("attack freely", { request, steps, as: "free" });
      case "finish":
        return steps === 0 ? { calls: [DONE] } : { say: "Done." };
      case "submit scoped":
        return steps === 0 ? submit(SCOPED_PLAN) : { say: "It waits." };
      case "submit":
        return steps === 0 ? submit(PLAN) : { say: "It waits." };
      case "approved":
        return approved(request, steps);
      case "woken":
        return steps === 0 && hasEnded(request.entries) ? unattended() : { say: "Nothing." };
    }
  }
  function approved(request: ModelRequest, steps: number): ScriptStep {
    const { entries } = request;
    const cells = steps === 0 ? cellsThatWait(entries) : [];
    if (cells.length > 0) return { calls: cells.map((runId) => ({ tool: "wait", args: { runId } })) };
    if (childrenIn(entries).length > 0) return passedOn("attack freely", { request, steps, as: "free" });
    if (steps < STEPS) return { calls: callsOf(isScoped(entries) ? "scoped" : "free", request) };
    return steps === STEPS ? { calls: [DONE] } : { say: "Done." };
  }
  /** To those below it, to any depth; those at the end carry it out. */
  function passedOn(text: string, { request, steps, as }: PassingOn): ScriptStep {
    const children = childrenIn(request.entries);
    if (children.length === 0) return steps < STEPS ? { calls: callsOf(as, request) } : { say: "No luck again." };
    const isTold = inThisTurn(request.entries).some((entry) => entry.kind === "assistant" && tells(entry));
    if (isTold) return { say: "They work again." };
    return { calls: children.map((id) => ({ tool: "sessions_send", args: { session_id: id, text } })) };
  }
  return next;
}

type PassingOn = { request: ModelRequest; steps: number; as: Move["when"] };

const tells = ({ calls }: EntryOf<"assistant">): boolean => JSON.stringify(calls).includes("sessions_send");

/** What its results name in a field, each once. */
const namedIn = (entries: readonly Entry[], pattern: RegExp): string[] => {
  const results = entries.flatMap((entry) => (entry.kind === "result" ? [JSON.stringify(entry.content)] : []));
  return [...new Set(results.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, name = ""]) => [name])))];
};
const childrenIn = (entries: readonly Entry[]): string[] => namedIn(entries, /"session_id":"(ses_[^"]+)"/g);
const cellsThatWait = (entries: readonly Entry[]): string[] =>
  namedIn(entries, /"status":"waiting","runId":"(cell_[^"]+)"/g);

const hasCells = (tools: ModelRequest["tools"]): boolean => tools.some(({ name }) => name === "wait");

/** The same calls, each made by a program of the agent. */
const byCells = ({ calls = [] }: ScriptStep): Pick<ScriptStep, "calls"> => ({
  calls: calls.map(({ tool, args = {}, ...rest }) => {
    if (tool === "wait") return { ...rest, tool, args };
    return {
      ...rest,
      tool: "exec",
      args: { code: `return await tools[${JSON.stringify(tool)}](${JSON.stringify(args)});` },
    };
  }),
});

const delegate = (task: string): ScriptStep => ({
  calls: [1, 2].map((n) => ({ tool: "sessions_spawn", args: { task, title: `Helper ${n}` } })),
});
const submit = (plan: Json): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: { title: "Tidy up", plan } }],
});

const isScoped = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.kind === "input" && /^submit scoped$/m.test(entry.text));

const DONE = { tool: "update_plan", args: { plan: [{ step: "Tidy up", status: "completed" }] } };

const ORDERS = [
  "attack",
  "submit",
  "submit scoped",
  "delegate twice",
  "delegate once",
  "tell them again",
  "attack freely",
  "finish",
] as const;

function orderIn(entries: readonly Entry[]): (typeof ORDERS)[number] | "approved" | "woken" {
  const text = entries.findLast((entry): entry is EntryOf<"input"> => entry.kind === "input")?.text ?? "";
  const order = ORDERS.find((one) => new RegExp(`^${one}$`, "m").test(text));
  if (order !== undefined) return order;
  return /\[PLAN_DECISION\]/.test(text) ? "approved" : "woken";
}

/** Whether the plan that it may still have had work for is over. */
const hasEnded = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.kind === "result" && entry.tool === "update_plan" && entry.status === "ok");

const inThisTurn = (entries: readonly Entry[]): readonly Entry[] =>
  entries.slice(entries.findLastIndex(({ kind }) => kind === "input"));

const sinceAnswer = ({ entries }: ModelRequest): readonly Entry[] =>
  entries.slice(entries.findLastIndex(({ kind }) => kind === "assistant") + 1);

function look(entry: Entry, made: Made, broke: HostileParts["broke"]): void {
  if (entry.kind !== "result") return;
  const move = made.get(entry.callId);
  made.delete(entry.callId);
  if (move?.must === "refused" && entry.status === "ok") broke(`${move.name}: it was carried out`);
  const seen = tracesIn(JSON.stringify(entry.content)).filter((trace) => isForbidden(trace, move));
  if (seen.length > 0) broke(`${move?.name ?? entry.tool}: it was shown ${seen.join(", ")}`);
}

/** An approved command works with the person's keys. */
const isForbidden = (trace: string, move: Move | undefined): boolean =>
  !(trace.startsWith("trace-keys-") && move?.when === "free");
