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
  approvals: { quorum: 2, approvers: ["Alice", "Bob"], presence: "passkey" },
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
  { approvals: { quorum: 2, presence: "passkey" } },
  { approvals: { ...STRICT.approvals, approvers: ["Alice", "Bob", "Carol"] } },
  { approvals: { quorum: 3, approvers: ["Alice", "operator.admin"], presence: "passkey" } },
  { approvals: { quorum: 2, approvers: ["Alice", "Bob"] } },
  { approvals: { ...STRICT.approvals, presence: "none" } },
  { approvals: { ...STRICT.approvals, presence: "destructive" } },
  { approvalTimeoutSeconds: 7_200 },
])("[PL-19] %j lets more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(true);
});

it.each([
  {},
  { permissionMode: "ask" },
  { autoEnableFor: ["b/*", "a/*", "c/*"] },
  { approvalTimeoutSeconds: 60 },
  { debug: true },
  { approvals: { ...STRICT.approvals, approvers: ["Bob", "Alice"] } },
  { approvals: { ...STRICT.approvals, quorum: 3 } },
  { approvals: { ...STRICT.approvals, approvers: ["Bob"] } },
])("[PL-19] %j lets nothing more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(false);
});

it.each([
  ["none", "destructive"],
  ["destructive", "passkey"],
  [undefined, "passkey"],
] as const)("[PL-19, GW-10] presence from %s to %s lets nothing more pass, and back it does", (lax, strict) => {
  const asked = (presence: typeof lax | typeof strict) => settings({ approvals: { quorum: 2, presence } });
  expect([isLooser(asked(lax), asked(strict)), isLooser(asked(strict), asked(lax))]).toEqual([false, true]);
});
