/** What a step says it will touch, and what a person adds to that while the plan is carried out. */
import { z } from "zod";
import { By } from "../../../protocol/actor.ts";
import { QUORUM_MAX, Signature } from "../approvals.ts";

const SCOPE_ENTRIES_MAX = 50;
const SCOPE_ENTRY_CHARS_MAX = 1_000;
export const AMENDMENTS_MAX = 100;

const entries = z.array(z.string().trim().min(1).max(SCOPE_ENTRY_CHARS_MAX)).min(1).max(SCOPE_ENTRIES_MAX);

/** Whether an entry can be taken at all is decided by `scope-problem.ts`, with a sentence that says why not. */
export const StepScope = z.strictObject({
  paths: entries
    .optional()
    .describe(
      "Files and folders that it changes, relative to the workspace: src/upload/ (all below), README.md, docs/*.md.",
    ),
  commands: entries
    .optional()
    .describe(
      'Commands that it runs, exactly: "npm test". With <words> at the end plain words may follow, no options: "git add <words>".',
    ),
  hosts: entries
    .optional()
    .describe('Hosts that it reaches: api.example.com, localhost:3000, *.example.com; "*": commands get the network.'),
  tools: entries.optional().describe("Other tools that change something: mcp__github__create_issue, message, cron."),
});
export type StepScope = z.infer<typeof StepScope>;
export type ScopePart = keyof StepScope;
/** At the end of a command: whatever plain words. A shell has no such word, so that no command is one by accident. */
export const ANY_WORDS = " <words>";

/** What a call outside of the scope needs, as it is put before a person. `digest` is what they sign. */
export const ProposedAmendment = z.strictObject({ n: z.int().positive(), add: StepScope, digest: z.string() });
export type ProposedAmendment = z.infer<typeof ProposedAmendment>;

/** A person added this to the scope of the plan that is carried out. */
export const Amendment = z.strictObject({
  ...ProposedAmendment.shape,
  by: By,
  atMs: z.int(),
  signatures: z.array(Signature).max(QUORUM_MAX).exactOptional(),
  passkey: z.string().exactOptional(),
});
export type Amendment = z.infer<typeof Amendment>;
