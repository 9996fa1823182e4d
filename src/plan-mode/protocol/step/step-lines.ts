/**
 * What a step declares besides its text, in lines: the same for people, for the agent and for comparing two revisions.
 * Without a schema library: the page reads this file too.
 */
import type { PlanStep } from "../plan.ts";
import type { Evidence } from "./evidence.ts";
import type { Proof } from "./proof.ts";
import type { ScopePart, StepScope } from "./scope.ts";

export const SCOPE_PARTS = ["paths", "commands", "hosts", "tools"] as const satisfies readonly ScopePart[];

export const scopeLines = (scope: StepScope): string[] =>
  SCOPE_PARTS.flatMap((part) => {
    const entries = scope[part] ?? [];
    return entries.length === 0 ? [] : [`${part}: ${entries.join(", ")}`];
  });

export function proofLine(proof: Proof): string {
  switch (proof.by) {
    case "command":
      return `command ${proof.command} ends with exit code ${proof.exitCode}`;
    case "file": {
      const holds = proof.contains === undefined ? "" : ` holds ${JSON.stringify(proof.contains)}`;
      const is = proof.sha256 === undefined ? "" : ` has sha256 ${proof.sha256}`;
      return `file ${proof.path}${holds}${is}`;
    }
    case "person":
      return "a person's word";
  }
}

/** What was seen, as far as it fits a line. */
export function evidenceLine(evidence: Evidence): string {
  const at = `${new Date(evidence.atMs).toISOString().slice(0, SECONDS_CHARS)}Z`;
  switch (evidence.kind) {
    case "command":
      return `exit code ${evidence.exitCode} at ${at}, output sha256 ${evidence.outputDigest.slice(0, DIGEST_CHARS)}`;
    case "file":
      return `${evidence.passed ? "as asked for" : "not as asked for"} at ${at}, sha256 ${evidence.sha256.slice(0, DIGEST_CHARS)}`;
    case "word":
      return `confirmed by ${evidence.by.name} at ${at}`;
    case "waiver":
      return `waived by ${evidence.by.name} at ${at}: ${evidence.reason}`;
  }
}

const DIGEST_CHARS = 12;
/** Of a time in ISO form, without its thousandths. */
const SECONDS_CHARS = 19;

/** Everything that is signed with the step and not part of its text or its criteria. */
export const declaredLines = ({ id, dependsOn = [], scope = {}, proof = [], checkpoint }: PlanStep): string[] => [
  ...(id === undefined ? [] : [`id: ${id}`]),
  ...(dependsOn.length === 0 ? [] : [`after: ${dependsOn.join(", ")}`]),
  ...scopeLines(scope),
  ...(checkpoint === true ? ["checkpoint: what follows waits for a person"] : []),
  ...proof.map((one) => `proof of "${one.criterion}": ${proofLine(one)}`),
];
