/** Performs the library's orders: writes the file of a submission, and keeps the index. */
import { PlanRevision } from "../plan-mode/protocol/plan.ts";
import { never, type OrderCall, type OrderOutcome, type PluginApi, type ReadSession } from "../plugins/sdk.ts";
import { type Disk, type FoundPlans, writePlanFile } from "./files/write-plan-file.ts";
import { LibraryOrder } from "./protocol/library-state.ts";
import { type MirrorPorts, performMirror } from "./work-units/perform-mirror.ts";
import type { IndexPorts, LibraryIndex } from "./search/library-index.ts";

export const LIBRARY_ORDERS = LibraryOrder.options.map((option) => option.shape.do.value);

export type LibraryHouse = Omit<IndexPorts, "documents"> & {
  /** The gateway's own folder: files of plans stand below it, where no agent can write. */
  home: string;
  disk?: Disk;
  session: ReadSession;
  withoutSecrets(text: string): string;
  isTracked: MirrorPorts["isTracked"];
};
export type LibraryPorts = Pick<LibraryHouse, "home" | "disk" | "session" | "isTracked"> & {
  api: Pick<PluginApi, "documents" | "sessions" | "log" | "now">;
  index: Pick<LibraryIndex, "indexSession">;
  /** Remembered from one file to the next. */
  found?: FoundPlans;
};

type OrderOf<Do extends LibraryOrder["do"]> = Extract<LibraryOrder, { do: Do }>;

export async function performLibraryOrder(
  given: unknown,
  call: Pick<OrderCall, "sessionId" | "key">,
  ports: LibraryPorts,
): Promise<OrderOutcome> {
  const order = LibraryOrder.parse(given);
  switch (order.do) {
    case "file-plan":
      return filePlan(order, call, ports);
    case "index-plans":
      await ports.index.indexSession(call.sessionId);
      return "done";
    case "mirror-unit":
      return performMirror(order, call, ports);
    default:
      return never(order);
  }
}

async function filePlan(
  { planId, agentId }: OrderOf<"file-plan">,
  { sessionId, key }: Pick<OrderCall, "sessionId" | "key">,
  { home, api, disk, index, found }: LibraryPorts,
): Promise<OrderOutcome> {
  const stored = await api.documents.get("plan", planId);
  if (stored === undefined) return "done"; // removed from the store by hand: there is nothing to write
  const plan = PlanRevision.parse(stored.body);
  const { planMarkdown } = await import("../plan-mode/render/export/plan-markdown.ts");
  const text = planMarkdown({ plan, notes: [], decisions: [] });
  const { title } = plan.body;
  const written = await writePlanFile({ home, agentId, title, atMs: plan.submittedAtMs, text }, disk, found);
  await index.indexSession(sessionId, "name" in written ? written.name : undefined);
  if ("name" in written) return "done";
  const { lost: because, why } = written;
  api.log("warn", `[plan-bridge/storage] the file of a plan was not written`, { planId, because, why });
  const told = await api.sessions.dispatch(sessionId, { type: "file-lost", planId, because }, { idempotencyKey: key });
  return !told.ok && told.refusal.retry === true ? "later" : "done";
}
