/** What a step declares besides its words, as a person edits it: what it touches, what comes before it, what proves it. */
import type { PlanStep } from "../../../src/plan-mode/protocol/plan.ts";
import type { Proof } from "../../../src/plan-mode/protocol/step/proof.ts";
import type { StepScope } from "../../../src/plan-mode/protocol/step/scope.ts";
import { SCOPE_PARTS } from "../../../src/plan-mode/protocol/step/step-lines.ts";

/** One entry per line; kept as it is typed, so that a line can be begun. */
export type ScopeText = { readonly [Part in (typeof SCOPE_PARTS)[number]]: string };

export type Declared = {
  readonly scope: ScopeText;
  readonly checkpoint: boolean;
  /** The keys of the steps that it comes after. */
  readonly after: readonly number[];
};

/** Undefined: the agent's word is enough. */
export type DraftProof = { readonly by: Proof["by"]; readonly subject: string; readonly expected: string };

export const NOTHING_DECLARED: Declared = {
  scope: { paths: "", commands: "", hosts: "", tools: "" },
  checkpoint: false,
  after: [],
};

/** `keys`: of the steps, by the ids that they carry. */
export function declaredOf(
  { scope, checkpoint, dependsOn = [] }: PlanStep,
  keys: ReadonlyMap<string, number>,
): Declared {
  const text = (part: keyof StepScope): string => (scope?.[part] ?? []).join("\n");
  return {
    scope: { paths: text("paths"), commands: text("commands"), hosts: text("hosts"), tools: text("tools") },
    checkpoint: checkpoint === true,
    after: dependsOn.flatMap((id) => keys.get(id) ?? []),
  };
}

/** `ids`: of the steps that are still there, by their keys. */
export function declarations(
  { scope, checkpoint, after }: Declared,
  ids: ReadonlyMap<number, string>,
): Pick<PlanStep, "scope" | "checkpoint" | "dependsOn"> {
  const parts = SCOPE_PARTS.flatMap((part): [string, string[]][] => {
    const entries = scope[part].split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
    return entries.length === 0 ? [] : [[part, entries]];
  });
  const order = [...new Set(after.flatMap((key) => ids.get(key) ?? []))];
  return {
    ...(order.length === 0 ? {} : { dependsOn: order }),
    ...(parts.length === 0 ? {} : { scope: Object.fromEntries(parts) }),
    ...(checkpoint ? { checkpoint: true as const } : {}),
  };
}

export function draftProof({ proof = [] }: PlanStep, criterion: string): DraftProof | undefined {
  const found = proof.find((one) => one.criterion === criterion.trim());
  switch (found?.by) {
    case "command":
      return { by: "command", subject: found.command, expected: String(found.exitCode) };
    case "file":
      return { by: "file", subject: found.path, expected: found.contains ?? "" };
    case "person":
      return { by: "person", subject: "", expected: "" };
    case undefined:
      return undefined;
  }
}

/** A proof that names nothing proves nothing. The digest that the agent asked for stays with the file that it named. */
export function proofFrom(draft: DraftProof, criterion: string, base: PlanStep | undefined): Proof[] {
  const subject = draft.subject.trim();
  if (draft.by === "person") return [{ by: "person", criterion }];
  if (subject === "") return [];
  if (draft.by === "command") {
    const exitCode = Number.parseInt(draft.expected, 10);
    const isCode = exitCode >= 0 && exitCode <= EXIT_CODE_MAX;
    return [{ by: "command", command: subject, exitCode: isCode ? exitCode : 0, criterion }];
  }
  const before = base?.proof?.find((one) => one.by === "file" && one.path === subject);
  const sha256 = before?.by === "file" ? before.sha256 : undefined;
  return [
    {
      by: "file",
      path: subject,
      ...(draft.expected === "" ? {} : { contains: draft.expected }),
      ...(sha256 === undefined ? {} : { sha256 }),
      criterion,
    },
  ];
}

const EXIT_CODE_MAX = 255;

/** Ids that others name a step by: its own, or one that no other has. */
export function idsOf(
  steps: readonly { key: number; base?: PlanStep; declared: Declared }[],
): ReadonlyMap<number, string> {
  const taken = new Set(steps.flatMap(({ base }) => base?.id ?? []));
  const named = new Set(steps.flatMap(({ declared }) => declared.after));
  return new Map(
    steps.flatMap(({ key, base }): [number, string][] => {
      if (base?.id !== undefined) return [[key, base.id]];
      return named.has(key) ? [[key, freeId(key, taken)]] : [];
    }),
  );
}

function freeId(key: number, taken: Set<string>): string {
  let id = `step-${key}`;
  while (taken.has(id)) id = `${id}x`;
  taken.add(id);
  return id;
}
