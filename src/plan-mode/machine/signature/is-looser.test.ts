import { expect, it } from "vitest";
import { PlanModeSettings } from "../../protocol/settings.ts";
import { isLooser } from "./is-looser.ts";

const STRICT = {
  enabled: true,
  defaultActive: true,
  autoEnterOnDestructive: true,
  requireResolvedThreads: true,
  autoEnableFor: ["a/*", "b/*"],
  permissionMode: "accept",
  approvalTimeoutSeconds: 3_600,
  unlock: "scoped",
  approvals: {
    quorum: 2,
    approvers: ["Alice", "Bob"],
    presence: "passkey",
    notAuthor: true,
    risks: [{ paths: ["infra"], quorum: 3 }],
  },
} as const;
const settings = (changed: object) => PlanModeSettings.parse({ ...STRICT, ...changed });

it.each([
  { enabled: false },
  { defaultActive: null },
  { defaultActive: false },
  { requireApproval: false },
  { autoEnterOnDestructive: false },
  { unknownCommands: "ask" },
  { requireResolvedThreads: false },
  { autoEnableFor: ["a/*"] },
  { permissionMode: "default" },
  { permissionMode: "bypass" },
  { approvals: { ...STRICT.approvals, quorum: 1 } },
  { approvals: { ...STRICT.approvals, approvers: undefined } },
  { approvals: { ...STRICT.approvals, approvers: ["Alice", "Bob", "Carol"] } },
  { approvals: { ...STRICT.approvals, quorum: 3, approvers: ["Alice", "operator.admin"] } },
  { approvals: { ...STRICT.approvals, presence: undefined } },
  { approvals: { ...STRICT.approvals, presence: "none" } },
  { approvals: { ...STRICT.approvals, presence: "destructive" } },
  { approvalTimeoutSeconds: 7_200 },
  { unlock: "open" },
  { approvals: { ...STRICT.approvals, notAuthor: false } },
  { approvals: { ...STRICT.approvals, notAuthor: undefined } },
  { approvals: { ...STRICT.approvals, risks: [] } },
  { approvals: { ...STRICT.approvals, risks: undefined } },
  { approvals: { ...STRICT.approvals, risks: [{ paths: ["other"], quorum: 3 }, ...STRICT.approvals.risks] } },
])("[PL-19] %j lets more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(true);
});

it.each([
  {},
  { permissionMode: "ask" },
  { autoEnableFor: ["b/*", "a/*", "c/*"] },
  { approvalTimeoutSeconds: 60 },
  { debug: true },
  { lint: "off" },
  { model: "a/b" },
  { approvals: { ...STRICT.approvals, risks: [...STRICT.approvals.risks, { paths: ["more"], quorum: 2 }] } },
  { approvals: { ...STRICT.approvals, approvers: ["Bob", "Alice"] } },
  { approvals: { ...STRICT.approvals, quorum: 3 } },
  { approvals: { ...STRICT.approvals, approvers: ["Bob"] } },
])("[PL-19] %j lets nothing more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(false);
});

it("[PL-19] from open to scoped, from asking to blocking, and from no author's rule or risks to some, nothing more passes", () => {
  const lax = PlanModeSettings.parse({ enabled: true, unlock: "open", unknownCommands: "ask" });
  const strict = PlanModeSettings.parse({
    enabled: true,
    unlock: "scoped",
    unknownCommands: "block",
    approvals: { notAuthor: true, risks: [{ paths: ["infra"], quorum: 2 }] },
  });
  expect([isLooser(lax, strict), isLooser(strict, lax), isLooser(lax, lax), isLooser(strict, strict)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

it.each([
  ["none", "destructive"],
  ["destructive", "passkey"],
  [undefined, "passkey"],
] as const)("[PL-19, GW-10] presence from %s to %s lets nothing more pass, and back it does", (lax, strict) => {
  const asked = (presence: typeof lax | typeof strict) => settings({ approvals: { quorum: 2, presence } });
  expect([isLooser(asked(lax), asked(strict)), isLooser(asked(strict), asked(lax))]).toEqual([false, true]);
});
