/** Decides for one run what its model is shown, by settings and, where they say so, by what it costs. */
import type { CatalogChoice, CatalogRun, OwnedNamespace, PluginLog } from "../../plugins/sdk.ts";
import { type Catalog, catalogOf } from "../catalog/catalog.ts";
import { bindNamespaces, visibleNamespaces } from "../catalog/namespaces.ts";
import type { CodeModeSettings } from "../settings.ts";
import { localized } from "../texts/localized.ts";
import { shownTools } from "./describe-tools.ts";

/** Of JSON; near enough to compare two prompts by. */
const BYTES_PER_TOKEN = 4;

export type SurfaceParts = {
  namespaces(): readonly OwnedNamespace[];
  /** False: cells cannot run here. */
  isReady(): Promise<boolean>;
  log: PluginLog;
};

export async function chooseByCost(
  run: CatalogRun,
  settings: CodeModeSettings,
  { namespaces, isReady, log }: SurfaceParts,
): Promise<CatalogChoice> {
  const { offers, before, session } = run;
  if (offers.length === 0) return { surface: "catalog" };
  const catalog = catalogOf(offers);
  const described = await boundNamespaces(run, { catalog, namespaces, log });
  const shown = shownTools(catalog, described, settings);
  let made: Figures | undefined;
  const figures = (): Figures => (made ??= { cost: tokensOf(shown), direct: tokensOf(offers), tools: offers.length });
  const isCheaper = (): boolean => figures().cost < figures().direct;
  const isChosen = before === undefined ? settings.mode === "only" || isCheaper() : before === "projection";
  if (settings.debug.activation === true && before === undefined)
    log("info", "code mode: what the model is shown", {
      sessionId: session.id,
      chosen: isChosen ? "cells" : "tools",
      ...figures(),
    });
  if (!isChosen) return { surface: "catalog", note: localized("codeModeDirect", figures()) };
  if (before === undefined && !(await isReady())) return { surface: "failed", words: localized("codeModeUnavailable") };
  if (settings.debug.payload !== undefined) logPayload(shown, { settings, log });
  const note = settings.mode === "auto" ? { note: localized("codeModeCells", figures()) } : {};
  return { surface: "projection", shown, ...note };
}

type Binding = Pick<SurfaceParts, "namespaces" | "log"> & { catalog: Catalog };

/** Those that a program finds: what one says of itself stands in the prompt only where its scope can be made. */
async function boundNamespaces(
  { session, before }: CatalogRun,
  { catalog, namespaces, log }: Binding,
): Promise<OwnedNamespace[]> {
  const visible = visibleNamespaces(namespaces(), catalog);
  if (visible.length === 0) return visible;
  const { id, agentId, turn } = session;
  const runId = turn.status === "idle" ? "" : turn.turnId;
  const { signal } = new AbortController();
  const place = { agentId, sessionKey: id, sessionId: id, runId, config: {}, signal };
  const once: PluginLog = before === undefined ? log : () => undefined;
  const bound = new Set((await bindNamespaces(visible, { catalog, place, log: once })).map((one) => one.id));
  return visible.filter((one) => bound.has(one.id));
}

/** In tokens; counted only where somebody asks for them. */
type Figures = { cost: number; direct: number; tools: number };
type Definition = { name: string; description: string; inputSchema: object };

/** A schema is the same object for as long as its tool is there; writing out two hundred of them takes milliseconds. */
const knownBytes = new WeakMap<object, { name: string; description: string; bytes: number }>();

function bytesOf({ name, description, inputSchema }: Definition): number {
  const known = knownBytes.get(inputSchema);
  if (known?.name === name && known.description === description) return known.bytes;
  const bytes = Buffer.byteLength(JSON.stringify({ name, description, inputSchema }));
  knownBytes.set(inputSchema, { name, description, bytes });
  return bytes;
}

/** With the comma behind each. */
const tokensOf = (definitions: readonly Definition[]): number =>
  Math.ceil(definitions.reduce((sum, definition) => sum + bytesOf(definition) + 1, 1) / BYTES_PER_TOKEN);

const LOGGED_CHARS_MAX = 2_000;

/** Definitions hold no secrets of ours; what plugins and servers wrote into them is cut. */
function logPayload(
  shown: ReturnType<typeof shownTools>,
  { settings, log }: { settings: CodeModeSettings; log: PluginLog },
): void {
  const names = shown.map(({ name }) => name);
  if (settings.debug.payload === "tools") return log("info", "code mode: tools of the request", { names });
  const definitions = shown.map(({ name, description }) => `${name}: ${description.slice(0, LOGGED_CHARS_MAX)}`);
  log("info", "code mode: tools of the request", { names, definitions });
}
