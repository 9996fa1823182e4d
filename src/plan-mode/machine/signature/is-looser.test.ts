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
  approvals: { quorum: 2, approvers: ["Alice", "Bob"] },
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
  { approvals: { quorum: 1, approvers: ["Alice", "Bob"] } },
  { approvals: { quorum: 2 } },
  { approvals: { quorum: 2, approvers: ["Alice", "Bob", "Carol"] } },
  { approvals: { quorum: 3, approvers: ["Alice", "operator.admin"] } },
])("[PL-19] %j lets more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(true);
});

it.each([
  {},
  { permissionMode: "ask" },
  { autoEnableFor: ["b/*", "a/*", "c/*"] },
  { approvalTimeoutSeconds: 60 },
  { debug: true },
  { approvals: { quorum: 2, approvers: ["Bob", "Alice"] } },
  { approvals: { quorum: 3, approvers: ["Alice", "Bob"] } },
  { approvals: { quorum: 2, approvers: ["Bob"] } },
])("[PL-19] %j lets nothing more pass", (changed) => {
  expect(isLooser(settings({}), settings(changed))).toBe(false);
});
