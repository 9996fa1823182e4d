/**
 * The port of the sandbox without a sandbox: programs run here, in this process, and a cell that waits is kept in memory.
 * For tests of what stands around cells; what cells themselves may do is tested with the real one.
 */
import type { Json } from "../../src/protocol/json.ts";
import type {
  CallAnswer,
  CallMethod,
  CallRequest,
  Cell,
  CellBindings,
  CellHost,
  CellOutcome,
  OutputItem,
  Sandbox,
  ScopeNode,
} from "../../src/code-mode/sandbox/sandbox.ts";

type Open = { request: CallRequest; settle(answer: { ok: boolean; json: string }): void; state: "asked" | "parked" };
type Running = {
  host: CellHost;
  open: Map<string, Open>;
  output: OutputItem[];
  calls: Extract<CellOutcome, { status: "completed" }>["calls"];
  done: Promise<{ value: Json } | { error: string; nested: boolean }>;
  changed: PromiseWithResolvers<void>;
  yielded: (() => void) | undefined;
  count: number;
};

/** As the real one marks them: an error that the host answered with. */
class NestedFailure extends Error {}

type Program = (...globals: unknown[]) => Promise<unknown>;
const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => Program;

const STATS = { ms: 1, timersCancelled: 0, outputCharsCut: 0 };
type Cells = Map<string, Running>;
type Event = { end: Awaited<Running["done"]> } | "late" | "aborted" | undefined;

async function stage(runId: string, cell: Running, { cells, timeoutMs }: { cells: Cells; timeoutMs: number }) {
  const deadline = Promise.withResolvers<"late">();
  AbortSignal.timeout(timeoutMs).addEventListener("abort", () => deadline.resolve("late"), { once: true });
  const aborted = new Promise<"aborted">((resolve) => {
    if (cell.host.signal.aborted) resolve("aborted");
    cell.host.signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  for (;;) {
    const ended = cell.done.then((end) => ({ end }));
    const next: Event = (await Promise.race([ended, cell.changed.promise, deadline.promise, aborted])) ?? undefined;
    cell.changed = Promise.withResolvers();
    const outcome = outcomeOf(runId, cell, next);
    if (outcome === undefined) continue;
    if (outcome.status === "suspended") cells.set(runId, cell);
    else cells.delete(runId);
    return outcome;
  }
}

/** Undefined where the cell goes on. */
function outcomeOf(runId: string, cell: Running, next: Event): CellOutcome | undefined {
  const about = () => ({ output: cell.output.splice(0), calls: cell.calls, stats: STATS });
  if (next === "aborted") return { ...about(), status: "failed", error: "The cell was stopped.", code: "aborted" };
  if (typeof next === "object") return endOf(next.end, about());
  const open = [...cell.open.values()];
  const isIdle = next === "late" || (open.length > 0 && open.every(({ state }) => state === "parked"));
  if (cell.yielded === undefined && !isIdle) return undefined;
  const reason = cell.yielded === undefined ? "pending_tools" : "yield";
  const pending = open.map(({ request }) => request);
  return { ...about(), status: "suspended", reason, snapshot: Buffer.from(runId), pending };
}

type About = Pick<Extract<CellOutcome, { status: "completed" }>, "output" | "calls" | "stats">;

function endOf(end: Awaited<Running["done"]>, about: About): CellOutcome {
  if ("value" in end) return { ...about, status: "completed", valueJson: JSON.stringify(end.value ?? null) };
  const code = end.nested ? ({ code: "nested_tool_failed" } as const) : {};
  return { ...about, status: "failed", error: end.error, ...code };
}

function begin({ code, bindings }: Pick<Cell, "code" | "bindings">, host: CellHost): Running {
  const cell: Running = {
    host,
    open: new Map(),
    output: [],
    calls: [],
    done: Promise.resolve({ value: null }),
    changed: Promise.withResolvers(),
    yielded: undefined,
    count: 0,
  };
  const globals = globalsOf(bindings, cell);
  const program = new AsyncFunction(...Object.keys(globals), code);
  cell.done = program(...Object.values(globals)).then(
    (value) => ({ value: (value ?? null) as Json }),
    (error: unknown) => ({ error: String(error), nested: error instanceof NestedFailure }),
  );
  return cell;
}

export function plainSandbox(): Sandbox & { cells: Cells; isThere: boolean } {
  const cells: Cells = new Map();
  return {
    cells,
    isThere: true,
    run: (cell, host) => stage(cell.runId, begin(cell, host), { cells, timeoutMs: cell.limits.timeoutMs }),
    async resume({ runId, answers, limits }, host) {
      const cell = cells.get(runId);
      const none = { output: [], calls: [], stats: STATS };
      if (cell === undefined) return { ...none, status: "failed", error: "gone", code: "snapshot_restore_failed" };
      cell.host = host;
      const goOn = cell.yielded;
      cell.yielded = undefined;
      goOn?.();
      for (const { callId, ...answer } of answers) cell.open.get(callId)?.settle(answer);
      for (const [callId, call] of cell.open) {
        call.state = "asked";
        void host.answerOf(callId).then((answer) => take(cell, callId, answer));
      }
      return stage(runId, cell, { cells, timeoutMs: limits.timeoutMs });
    },
    async warm() {
      return this.isThere;
    },
    stop: async () => cells.clear(),
  };
}

function take(cell: Running, callId: string, answer: CallAnswer): void {
  const call = cell.open.get(callId);
  if (call === undefined) return;
  if ("parked" in answer) call.state = "parked";
  else call.settle(answer);
  cell.changed.resolve();
}

function globalsOf(bindings: CellBindings, cell: Running): Record<string, unknown> {
  const request = (method: CallMethod, target: string, args: readonly unknown[]): Promise<unknown> => {
    const callId = `c${++cell.count}`;
    const made = { callId, method, target, argsJson: JSON.stringify(args) };
    const receipt = { callId, method, target, state: "started" as "started" | "ok" | "error" };
    cell.calls.push(receipt);
    const answer = Promise.withResolvers<unknown>();
    const settle: Open["settle"] = ({ ok, json }) => {
      cell.open.delete(callId);
      receipt.state = ok ? "ok" : "error";
      if (ok) answer.resolve(JSON.parse(json));
      else answer.reject(new NestedFailure(String(JSON.parse(json))));
    };
    cell.open.set(callId, { request: made, settle, state: "asked" });
    void cell.host.call(made).then((given) => take(cell, callId, given));
    return answer.promise;
  };
  const tools: Record<string, unknown> = {
    search: (query: string, options = {}) => request("search", query, [options]),
    describe: (id: string) => request("describe", id, []),
    call: (id: string, input = {}) => request("call", id, [input]),
  };
  for (const [name, id] of bindings.convenience) tools[name] = (input = {}) => request("call", id, [input]);
  const scope = (node: ScopeNode): unknown => {
    if ("value" in node) return node.value;
    if ("call" in node) return (...args: unknown[]) => request("namespace", node.call, args);
    if ("members" in node) return Object.fromEntries(node.members.map(([key, inner]) => [key, scope(inner)]));
    return "items" in node ? node.items.map(scope) : { same: node.same };
  };
  const scopes = Object.fromEntries(bindings.namespaces.map(([name, node]) => [name, scope(node)]));
  const files = new Map(bindings.apiFiles);
  const put = (item: OutputItem): void => {
    cell.output.push(item);
    cell.host.output?.(item);
  };
  return {
    ALL_TOOLS: JSON.parse(bindings.allToolsJson),
    tools,
    MCP: Object.fromEntries(bindings.mcp.map(([name, node]) => [name, scope(node)])),
    namespaces: scopes,
    API: {
      list: (prefix = "") => [...files.keys()].filter((path) => path.startsWith(prefix)).map((path) => ({ path })),
      read: (path: string) => files.get(path),
    },
    text: (value: unknown) => put({ type: "text", text: String(value) }),
    json: (value: Json) => put({ type: "json", value }),
    yield_control: () =>
      new Promise<void>((resolve) => {
        cell.yielded = resolve;
        cell.changed.resolve();
      }),
    ...scopes,
  };
}
