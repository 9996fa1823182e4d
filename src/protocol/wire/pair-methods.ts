/** Methods about accounts of people on channels: who wants to be paired, who is, and as whom. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { Scope } from "../actor.ts";
import { OperatorId } from "../ids.ts";
import { method } from "./method.ts";

const ID_CHARS_MAX = 512;
const person = {
  surface: z.string().max(64).describe("The kind of channel: telegram."),
  account: z.string().max(64).describe("Our account there, by its name in the configuration."),
  personId: z.string().max(ID_CHARS_MAX).describe("The vendor's stable id of the person."),
};

const PairRequestView = lazySchema(() =>
  z.strictObject({
    ...person,
    code: z.string(),
    name: z.string().describe("What the person calls themselves: proof of nothing."),
    atMs: z.int(),
    untilMs: z.int(),
  }),
);
const PairedView = lazySchema(() =>
  z.strictObject({
    ...person,
    operatorId: z.string(),
    operatorName: z.string().nullable().describe("Null where the operator's token was revoked: then they are nobody."),
    createdAtMs: z.int(),
  }),
);

export const PAIR_METHODS = {
  "pair.list": method("operator.admin", "Who asks to be paired on a channel, and who is.", () => ({
    params: z.strictObject({}),
    result: z.strictObject({ requests: z.array(PairRequestView), people: z.array(PairedView) }),
  })),
  "pair.approve": method(
    "operator.admin",
    "Takes somebody's code and says who they are: an operator that exists, or a new one with these scopes.",
    () => ({
      params: z.strictObject({
        code: z.string().min(1).max(64),
        operatorId: OperatorId.optional().describe("Who they are. Absent: a new operator is made for them."),
        name: z.string().trim().min(1).max(64).optional().describe("Of the new operator; their own name if absent."),
        scopes: z
          .array(Scope)
          .max(10)
          .optional()
          .describe("Of the new operator; operator.read and operator.write if absent."),
      }),
      result: z.strictObject({ person: PairedView }),
    }),
  ),
  "pair.revoke": method(
    "operator.admin",
    "Takes an account away from its operator; whoever has it is nobody again.",
    () => ({
      params: z.strictObject(person),
      result: z.strictObject({}),
    }),
  ),
} as const;
