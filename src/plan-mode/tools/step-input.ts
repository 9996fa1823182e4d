/** A step as the agent writes it, in both tools that take steps: with numbers for other steps, and proofs beside criteria. */
import { z } from "zod";
import { isBlank } from "../../plugins/sdk.ts";
import { type Proof, ProofBy } from "../protocol/step/proof.ts";
import { StepScope } from "../protocol/step/scope.ts";

const criterion = z.union([
  z.string(),
  z.strictObject({
    criterion: z.string(),
    proof: ProofBy.describe(
      "What proves it: {by: command, command, exitCode?}, {by: file, path, contains? or sha256?} or {by: person}. The gateway looks at the real call; the step closes only then.",
    ),
  }),
]);

export const stepInput = {
  activeForm: z.string().optional().describe("The step while it runs: Editing the parser."),
  acceptanceCriteria: z
    .array(criterion)
    .optional()
    .describe("What must be verified before the step counts as completed; each a text, or {criterion, proof}."),
  verifiedCriteria: z.array(z.string()).optional(),
  id: z.string().optional().describe("A short name for the step, if others come after it: parser."),
  dependsOn: z
    .array(z.union([z.string(), z.int().positive()]))
    .optional()
    .describe("The steps that must be done before it, by id or by number."),
  checkpoint: z
    .literal(true)
    .optional()
    .describe("true: a phase ends with this step, and what follows waits for a person to accept it."),
  scope: StepScope.optional().describe("What the step touches. Where approvals are scoped, nothing else is unlocked."),
};

export type StepInput = z.infer<z.ZodObject<typeof stepInput>> & { step: string };

/** As it is stored: other steps by their ids, which stay when steps are moved; proofs apart from the criteria. */
export function declaredSteps<Step extends StepInput>(steps: readonly Step[]) {
  const named = withIds(steps);
  return named.map(({ dependsOn = [], acceptanceCriteria, activeForm, verifiedCriteria, scope, id, ...rest }) => {
    const order = dependsOn.map((other) => (typeof other === "number" ? (named[other - 1]?.id ?? `${other}`) : other));
    const given = (acceptanceCriteria ?? []).flatMap(splitCriterion);
    const proof = given.flatMap((one) => (one.proof === undefined ? [] : [one.proof]));
    return {
      ...rest,
      ...(activeForm === undefined || isBlank(activeForm) ? {} : { activeForm }),
      ...(acceptanceCriteria === undefined ? {} : { acceptanceCriteria: given.map(({ text }) => text) }),
      ...(verifiedCriteria === undefined ? {} : { verifiedCriteria: verifiedCriteria.filter((one) => !isBlank(one)) }),
      ...(id === undefined ? {} : { id }),
      ...(order.length === 0 ? {} : { dependsOn: [...new Set(order)] }),
      ...(scope === undefined || Object.keys(scope).length === 0 ? {} : { scope }),
      ...(proof.length === 0 ? {} : { proof }),
    };
  });
}

/** A step that others name by its number gets an id, unless it has one. */
function withIds<Step extends StepInput>(steps: readonly Step[]): Step[] {
  const numbers = new Set(steps.flatMap(({ dependsOn = [] }) => dependsOn.filter((one) => typeof one === "number")));
  return steps.map((step, index) =>
    step.id === undefined && numbers.has(index + 1) ? { ...step, id: `s${index + 1}` } : step,
  );
}

type Split = { text: string; proof?: z.input<typeof Proof> };

function splitCriterion(given: z.infer<typeof criterion>): Split[] {
  const text = typeof given === "string" ? given : given.criterion;
  if (isBlank(text)) return [];
  return typeof given === "string" ? [{ text }] : [{ text, proof: { ...given.proof, criterion: text.trim() } }];
}
