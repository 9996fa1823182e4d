/**
 * What `npm run mutation` changes, and which tests may notice. The first list is the bar R22: the gate, approvals, the queue, the
 * lease and the sanitizers. Each group names the quick tests that cover it: they are run again for each mutant, so none
 * starts a gateway or a program. No braces in globs: Stryker splits its list at commas.
 */
export type MutationGroup = { readonly files: readonly string[]; readonly tests: readonly string[] };

const MACHINE = "src/plan-mode/machine";
const machineTests = (...names: readonly string[]): string[] => names.map((name) => `${MACHINE}/${name}.test.ts`);

export const BAR_GROUPS: Readonly<Record<string, MutationGroup>> = {
  /** The verdict of plan mode and of the permission mode, in a session and in those above it. */
  gate: {
    files: [`${MACHINE}/gate.ts`, `${MACHINE}/permission/*.ts`, `${MACHINE}/sub-agents/*.ts`],
    tests: [
      ...machineTests(
        "gate",
        "refusal-words",
        "permission/*",
        "sub-agents/*",
        "grant/*",
        "hold/hold",
        "stage/stage",
        "scope/scope",
      ),
      ...machineTests("signature/revoked", "plan/after-completion", "command-table", "evidence/evidence"),
    ],
  },
  /** The policies that a call meets on its way there: plan mode, scope, accepted edits, permission. */
  policies: { files: ["src/plan-mode/gates/*.ts"], tests: ["src/plan-mode/gates/*.test.ts"] },
  /** The last word on a call, when it is claimed, and the permit that follows. */
  claim: {
    files: ["core/guards", "core/calls/decide-call", "core/held/*", "tools/permit", "tools/judge"].map(
      (name) => `src/${name}.ts`,
    ),
    tests: [
      ...["guards", "turn*", "step", "held/*", "calls/callers", "calls/call-words", "calls/*held"].map(
        (name) => `src/core/${name}.test.ts`,
      ),
      ...["judge", "permit", "call-tool"].map((name) => `src/tools/${name}.test.ts`),
    ],
  },
  /** Who may decide, on what text, and what an approval is then: three groups, because they are many. */
  decisions: {
    files: ["decide", "decision-code", "rests-on"].map((name) => `${MACHINE}/signature/${name}.ts`),
    tests: [
      ...machineTests("signature/decision-*", "signature/loosening", "signature/offered", "signature/presence"),
      ...machineTests("signature/rests-on", "signature/second-feedback", "signature/signature", "lifecycle"),
      ...machineTests("stage/stage", "question/questions", "evidence/evidence", "reading/reading", "standing/standing"),
    ],
  },
  signing: {
    files: ["sign", "approve-edition", "approvers"].map((name) => `${MACHINE}/signature/${name}.ts`),
    tests: [
      ...machineTests("signature/decision-words", "signature/loosening", "signature/offered", "signature/presence"),
      ...machineTests("signature/revoked", "signature/signature", "signature/signing-terms", "stage/stage"),
      ...machineTests("standing/standing"),
    ],
  },
  signatures: {
    files: [
      "effects",
      "evolve",
      "is-looser",
      "loosening",
      "offered",
      "presence",
      "revoked",
      "risk-fits",
      "risk-rules",
    ].map((name) => `${MACHINE}/signature/${name}.ts`),
    tests: [
      ...machineTests("signature/*", "hold/hold", "permission/permission", "scope/scope", "stage/stage"),
      ...machineTests("standing/standing", "lifecycle"),
    ],
  },
  grant: {
    files: [`${MACHINE}/grant/*.ts`],
    tests: machineTests("grant/*", "gate", "permission/permission", "scope/scope", "signature/revoked"),
  },
  hold: {
    files: [`${MACHINE}/hold/*.ts`],
    tests: machineTests("hold/*", "gate", "lifecycle"),
  },
  /** One thing at a time: commands of a session, and the orders that it leaves behind. */
  queue: {
    files: ["src/lane/*.ts", "src/store/order-lane.ts"],
    tests: ["src/lane/*.test.ts", "src/store/order-lane.test.ts"],
  },
  /** Who may run a turn: the node's side of a lease, and the side of the session that refuses an old epoch. */
  lease: {
    files: ["src/agent/lease.ts", "src/core/decide-turn.ts"],
    tests: [
      "src/agent/lease*.test.ts",
      "src/core/turn*.test.ts",
      "src/core/talk.test.ts",
      "src/core/calls/callers.test.ts",
      "src/core/calls/call-words.test.ts",
      "src/core/held/*.test.ts",
    ],
  },
  /** Hidden characters, look-alikes, and envelopes that a text must not open or close. */
  envelopes: {
    files: ["src/protocol/text/hidden-characters.ts", "src/core/text/*.ts"],
    tests: ["src/protocol/text/hidden-characters.test.ts", "src/core/text/*.test.ts", "src/core/talk.test.ts"],
  },
  fences: {
    files: ["src/agent/prompt/fence.ts", "src/tools/untrusted.ts"],
    tests: ["src/agent/prompt/prompt.test.ts", "src/tools/untrusted.test.ts"],
  },
  redaction: {
    files: ["src/tools/redaction/*.ts", "src/gateway/process/redact-secrets.ts"],
    tests: ["src/tools/redaction/*.test.ts", "src/gateway/process/redact-secrets.test.ts"],
  },
  terminal: {
    files: ["src/cli/text/sanitise.ts"],
    tests: ["src/cli/text/sanitise.test.ts", "src/cli/text/text.test.ts"],
  },
  markup: { files: ["src/channels/render/neutral-text.ts"], tests: ["src/channels/render/*.test.ts"] },
};

const SHELL_TESTS = ["src/plan-mode/shell/**/*.test.ts", "test/corpora/shell-exact.test.ts"];

/** Beyond the bar: which commands only read, and how a call gets to the gate. Thousands of mutants, hours; by name only. */
export const FURTHER_GROUPS: Readonly<Record<string, MutationGroup>> = {
  shell: { files: ["src/plan-mode/shell/*.ts"], tests: SHELL_TESTS },
  scripts: { files: ["src/plan-mode/shell/scripts/*.ts"], tests: SHELL_TESTS },
  rules: { files: ["src/plan-mode/shell/rules/*.ts"], tests: SHELL_TESTS },
  "accept-edits": { files: ["src/plan-mode/shell/accept-edits/*.ts"], tests: SHELL_TESTS },
  tools: {
    files: ["call-tool", "hook-stage", "loop-check", "registry"].map((name) => `src/tools/${name}.ts`),
    tests: ["src/tools/*.test.ts"],
  },
};
