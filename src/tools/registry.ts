/**
 * Every tool there is. A tool goes in as it was declared and never comes out again: what the registry hands out can be
 * described, judged and prepared, and a prepared call of a mutating tool runs only with a permit (GA-12).
 */
import { setImmediate as otherWork } from "node:timers/promises";
import { z } from "zod";
import type { OfferedTool } from "../plugins/api/catalog.ts";
import type { Permit, StateToolContext, Tool, ToolContext, ToolOrigin, ToolOutput } from "../plugins/tool.ts";
import { type ToolEffect, ToolKind } from "../protocol/gate.ts";
import { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { digestOf } from "../plugins/digest-of.ts";
import { effectByName, kindByName } from "./name-convention.ts";
import { type CallAtHand, spendPermit } from "./permit.ts";

const TOOLS_MAX = 1_000;
const ARGS_CHARS_MAX = 200_000;
const ISSUES_SHOWN_MAX = 5;
const NAME = /^(?=.{1,64}$)[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*$/;
const EFFECTS: readonly unknown[] = ["read", "write", "dynamic", "state"];

/** One tool as the model sees it. */
export type Offer = { name: string; description: string; inputSchema: JsonObject };
/** Who owns the tools of plugins, which do not say so themselves. */
export type OwnerOf = (toolName: string) => string | undefined;

type Settings = Readonly<Record<string, unknown>>;
type Place = { session: Session; settings: Settings };

/** Parsed, frozen and classified: the arguments that are judged, hashed and run are this one object. */
export type PreparedCall = {
  effect: ToolEffect | "state";
  args: JsonObject;
  argsDigest: string;
  /** Throws `PermitRefused` when the call mutates and the permit is not its own. */
  run(context: ToolContext, permit: Permit | undefined): Promise<ToolOutput>;
  /** Only of state tools: the slice and the command that the call comes down to. */
  toCommand(context: StateToolContext): Promise<{ slice: string; command: JsonObject } | { error: string }>;
};

export type RegisteredTool = {
  name: string;
  kind: ToolKind;
  resultCharsMax?: number;
  /** Further words for hooks; absent where the name says enough. */
  hookWords?(args: JsonObject): { toolKind: string; toolInputKind?: string };
  /** `before`: the arguments that a policy changed into these. */
  prepare(
    args: JsonObject,
    at: { workspace: string; before?: JsonObject },
  ): { ok: true; call: PreparedCall } | { ok: false; error: string };
};

export type Registry = {
  /** What the model sees in this session: sorted by name, the same bytes each time. */
  catalog(place: Place): Offer[];
  /** The same tools, with what belongs to them and is not shown. */
  offered(place: Place, ownerOf: OwnerOf): OfferedTool[];
  /** A tool that is in no catalog, prepared as those that are. */
  control(tool: Tool): RegisteredTool;
  /** Undefined when no such tool is offered in this session; a tool that is not offered cannot be called either. */
  find(name: string, place: Place): RegisteredTool | undefined;
  has(name: string): boolean;
  /** Makes what models see of every tool, one at a time, so that the first turn waits for none and other work for one. */
  makeOffers(): Promise<void>;
  /** The tool's own kind, whether or not a session is offered it. */
  kindOf(name: string): ToolKind | undefined;
  /** A tool that appears after the start. Unclassified, it counts as mutating. */
  add(tool: Tool): void;
  /** A tool of a foreign source that is gone. Calls that were prepared before run to their end. */
  remove(name: string): void;
};

type Row = { tool: Tool; offer(): Offer; registered: RegisteredTool };

/** `strict` false: a tool that nobody classified is taken by its name (GA-04). Only those of the start: a later one writes. */
export type RegistryRules = {
  strict: boolean;
  /** True when a plugin's metadata marks the tool as writing, even if the tool declares that it reads. */
  isStricter?(name: string): boolean;
  /** True for tools that came with the gateway: what the model sees of them is made for the first one that asks (ADR 0052). */
  isShipped?(name: string): boolean;
};

/** When strict, refuses to start, naming every tool that is wrong, rather than run with one that nobody classified (GA-03). */
export function createRegistry(tools: readonly Tool[], rules: RegistryRules = { strict: true }): Registry {
  const { strict } = rules;
  const unclassified = tools.filter((tool) => !isClassified(tool)).map((tool) => tool.name);
  if (strict && unclassified.length > 0) {
    throw new Error(
      `These tools are not classified as read, write, dynamic or state: ${unclassified.join(", ")}. Classify them, or set tools.strict to false to go by their names.`,
    );
  }
  const rows = new Map<string, Row>();
  for (const tool of tools) addTo(rows, strict ? tool : classifiedByName(tool), rules);
  let inOrder: readonly Row[] | undefined; // asked for with every request, and changed with a plugin
  const sorted = (): readonly Row[] =>
    (inOrder ??= [...rows.values()].toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1)));
  return {
    catalog: (place) =>
      sorted()
        .filter((row) => isOffered(row.tool, place))
        .map((row) => row.offer()),
    offered: (place, ownerOf) =>
      sorted()
        .filter((row) => isOffered(row.tool, place))
        .map(({ tool, offer, registered }) => ({
          ...offer(),
          kind: registered.kind,
          origin: originOf(tool, ownerOf(tool.name)),
        })),
    control(tool) {
      const { resultCharsMax } = tool;
      const registered = registeredOf(tool, rules);
      return resultCharsMax === undefined ? registered : Object.freeze({ ...registered, resultCharsMax });
    },
    find(name, place) {
      const row = rows.get(name);
      return row !== undefined && isOffered(row.tool, place) ? row.registered : undefined;
    },
    has: (name) => rows.has(name),
    async makeOffers() {
      for (const { offer } of sorted()) {
        offer();
        await otherWork();
      }
    },
    kindOf: (name) => rows.get(name)?.registered.kind,
    add(tool) {
      inOrder = undefined;
      addTo(rows, tool, { ...rules, isShipped: () => false });
    },
    remove(name) {
      inOrder = undefined;
      rows.delete(name);
    },
  };
}

/** An unknown one stays as it is, which counts as writing. */
function classifiedByName(tool: Tool): Tool {
  if (isClassified(tool) || effectByName(tool.name) !== "read") return tool;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what nobody classified has the executor that its name promises
  return { ...tool, effect: "read", kind: "read_only" } as Tool;
}

const isClassified = (tool: Tool): boolean => EFFECTS.includes(tool.effect) && ToolKind.safeParse(tool.kind).success;

function addTo(rows: Map<string, Row>, tool: Tool, rules: RegistryRules): void {
  const { name, description } = tool;
  if (!NAME.test(name)) {
    throw new Error(
      `"${name}" cannot name a tool: a lower-case letter, then letters, digits, _ and single dots, at most 64 in all.`,
    );
  }
  if (rows.has(name)) throw new Error(`The tool "${name}" is registered twice.`);
  if (rows.size >= TOOLS_MAX) throw new Error(`More than ${TOOLS_MAX} tools.`);
  const registered = registeredOf(tool, rules);
  let made: Offer | undefined;
  const offer = (): Offer => (made ??= deepFreeze({ name, description, inputSchema: schemaOf(tool) }));
  if (rules.isShipped?.(name) !== true || !isClosed(tool)) offer(); // so that a wrong one is found when it is registered
  rows.set(name, { tool, offer, registered });
}

/** As `schemaOf` demands, seen without making the schema. */
const isClosed = ({ input, inputSchema }: Tool): boolean =>
  inputSchema === undefined && input instanceof z.ZodObject && input.def.catchall instanceof z.ZodNever;

function registeredOf(tool: Tool, rules: RegistryRules): RegisteredTool {
  const words = tool.hookWords === undefined ? {} : { hookWords: tool.hookWords };
  return Object.freeze({ name: tool.name, kind: kindOf(tool), ...words, prepare: prepareWith(tool, rules) });
}

/** What a plugin registered is that plugin's, whatever the tool says of itself. */
function originOf({ name, origin }: Tool, owner: string | undefined): ToolOrigin {
  if (owner !== undefined) return { source: "plugin", owner, name };
  return origin ?? { source: "holdpoint", owner: "core", name };
}

const kindOf = (tool: Tool): ToolKind => (isClassified(tool) ? tool.kind : kindByName(tool.name));

/** A session in which the question cannot be answered is one in which the tool is not offered. */
function isOffered(tool: Tool, { session, settings }: Place): boolean {
  try {
    return tool.offered?.(session, settings) ?? true;
  } catch {
    return false;
  }
}

function schemaOf(tool: Tool): JsonObject {
  if (tool.inputSchema !== undefined) return foreignSchema(tool.name, tool.inputSchema);
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
  if (schema.type !== "object" || schema.additionalProperties !== false) {
    throw new Error(`The input of the tool "${tool.name}" must be an object that rejects unknown properties.`);
  }
  const plain: JsonObject = JSON.parse(JSON.stringify(schema)); // a check of each value would cost more than all else here
  return plain;
}

/** Open by its own word is allowed: a free-form object is a shape too. Open by silence is not. */
function foreignSchema(name: string, schema: JsonObject): JsonObject {
  const isSaid = schema["additionalProperties"] !== undefined || schema["unevaluatedProperties"] !== undefined;
  if (schema["type"] !== "object" || !isSaid) {
    throw new Error(
      `The input of the tool "${name}" must be an object that says what it does with unknown properties.`,
    );
  }
  return JsonObject.parse(schema);
}

function prepareWith(tool: Tool, { isStricter }: RegistryRules): RegisteredTool["prepare"] {
  return (given, at) => {
    if (JSON.stringify(given).length > ARGS_CHARS_MAX) {
      return { ok: false, error: `The arguments may hold ${ARGS_CHARS_MAX} characters. Do it in smaller parts.` };
    }
    const { before, ...place } = at;
    const form = before === undefined || tool.reconcile === undefined ? given : tool.reconcile(given, before);
    const parsed = tool.input.safeParse(form);
    if (!parsed.success) return { ok: false, error: explain(tool, parsed.error) };
    const args = parsed.data;
    const plain = JsonObject.safeParse(args);
    if (!plain.success) return { ok: false, error: `${tool.name}: the arguments are not plain data.` };
    deepFreeze(args);
    const prepared = {
      args: deepFreeze(plain.data),
      argsDigest: digestOf(plain.data),
      effect: isStricter?.(tool.name) === true ? stricter(effectOf(tool, args, place)) : effectOf(tool, args, place),
    };
    return {
      ok: true,
      call: Object.freeze({
        ...prepared,
        run: (context: ToolContext, permit: Permit | undefined) => {
          const { sessionId, callId } = context;
          return runGuarded({ tool, args, effect: prepared.effect }, context, {
            permit,
            call: { sessionId, callId, argsDigest: prepared.argsDigest },
          });
        },
        toCommand: async (context: StateToolContext) => {
          if (tool.effect !== "state") throw new Error(`${tool.name} is no state tool`);
          const resolved = await tool.toCommand(args, context);
          return "error" in resolved ? resolved : { slice: tool.slice, command: resolved.command };
        },
      }),
    };
  };
}

const stricter = (effect: PreparedCall["effect"]): PreparedCall["effect"] => (effect === "read" ? "write" : effect);

/** What cannot be proven to read counts as writing. */
function effectOf(tool: Tool, args: never, at: { workspace: string }): ToolEffect | "state" {
  if (!isClassified(tool)) return "write";
  if (tool.effect !== "dynamic") return tool.effect;
  try {
    return tool.classify(args, at) === "read" ? "read" : "write";
  } catch {
    return "write";
  }
}

async function runGuarded(
  { tool, args, effect }: { tool: Tool; args: never; effect: ToolEffect | "state" },
  context: ToolContext,
  { permit, call }: { permit: Permit | undefined; call: CallAtHand },
): Promise<ToolOutput> {
  if (tool.effect === "state") throw new Error(`${tool.name} is applied by its command, not run`);
  if (effect === "write") return tool.run(args, context, spendPermit(permit, call));
  if (tool.effect === "write") throw new Error(`${tool.name} writes`); // unreachable by effectOf; never run one bare
  return tool.run(args, context, undefined);
}

/** Says what is wrong and what would be right, in words that the model can act on. */
function explain(tool: Tool, error: z.core.$ZodError): string {
  const issues = error.issues
    .slice(0, ISSUES_SHOWN_MAX)
    .map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  const properties = Object.keys(schemaOf(tool)["properties"] ?? {});
  const allowed = properties.length === 0 ? "It takes no properties." : `Its properties are: ${properties.join(", ")}.`;
  const example = tool.example === undefined ? "" : ` Example: ${tool.name} ${JSON.stringify(tool.example)}`;
  return `${tool.name} was not run: ${issues.join("; ")}. ${allowed} Correct the arguments and call it again.${example}`;
}

function deepFreeze<Value>(value: Value): Value {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
