/**
 * What the model is shown: the catalog, or what a plugin puts in its place (`registerCatalogProjection`). Whatever goes
 * wrong in between fails the run: a model that should see two tools never sees two hundred instead.
 */
import type { CatalogChoice, CatalogProjection, CatalogRun, OfferedTool, ShownTool } from "../plugins/api/catalog.ts";
import { asIs, type LocalizedText } from "../protocol/localized/localized-text.ts";
import type { Session } from "../protocol/session.ts";
import type { ToolCall } from "../protocol/transcript-entry.ts";

export type Surface =
  | { kind: "catalog"; note?: LocalizedText }
  | {
      kind: "projection";
      exact: readonly Omit<ShownTool, "control">[];
      note?: LocalizedText;
      bind(call: ToolCall): ToolCall;
    }
  | { kind: "failed"; words: LocalizedText };

type Parts = { projection?: CatalogProjection | undefined; report(error: unknown): void };
type Asked = {
  session: Session;
  settings: CatalogRun["settings"];
  before: Surface["kind"] | undefined;
  offers(): OfferedTool[];
};

export async function chooseSurface(
  { projection, report }: Parts,
  { session, settings, before, offers }: Asked,
): Promise<Surface> {
  if (projection === undefined) return CATALOG;
  try {
    const run = {
      session,
      settings,
      ...(before === undefined || before === "failed" ? {} : { before }),
      get offers() {
        return offers(); // made only for a plugin that looks
      },
    };
    return surfaceOf(await projection.choose(run), projection);
  } catch (error) {
    report(error);
    return { kind: "failed", words: asIs(UNKNOWN) };
  }
}

const CATALOG: Surface = { kind: "catalog" };
const UNKNOWN = "What the model may be shown could not be decided, so it was not asked. The gateway's log says why.";

function surfaceOf(choice: CatalogChoice, projection: CatalogProjection): Surface {
  if (choice.surface === "failed") return { kind: "failed", words: choice.words };
  const note = choice.note === undefined ? {} : { note: choice.note };
  if (choice.surface === "catalog") return { kind: "catalog", ...note };
  const { shown } = choice;
  const controls = new Map(shown.map(({ name, control }) => [name, control]));
  const isWhole = [...controls.values()].every((name) => projection.controls.some((tool) => tool.name === name));
  if (controls.size !== shown.length || !isWhole) throw new Error("the tools that are shown do not lead to their own");
  const exact = shown.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { kind: "projection", exact, ...note, bind: (call) => bound(call, controls) };
}

/** A call of anything else never reaches a tool: the model is told what there is. */
function bound(call: ToolCall, controls: ReadonlyMap<string, string>): ToolCall {
  if (call.problem !== undefined) return call;
  const target = controls.get(call.tool);
  if (target !== undefined) return { ...call, target };
  const names = [...controls.keys()].join(" and ");
  return {
    ...call,
    problem: `There is no tool "${call.tool}" to be called here, only ${names}: other tools are called inside of them.`,
  };
}
