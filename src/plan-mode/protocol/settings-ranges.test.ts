import { expect, it } from "vitest";
import { PlanModeSettings } from "./settings.ts";

it("[PL-02, PL-14, PL-15, PL-16, AU-03] where nothing is set: off, by role, no entering by itself, a person's yes, one day", () => {
  expect(PlanModeSettings.parse({})).toMatchObject({
    enabled: false,
    defaultActive: null,
    autoEnterOnDestructive: false,
    requireApproval: true,
    approvalTimeoutSeconds: 86_400,
  });
});

it("[AU-03] an approval waits for 10 seconds to one day", () => {
  const takes = (approvalTimeoutSeconds: unknown): boolean =>
    PlanModeSettings.safeParse({ approvalTimeoutSeconds }).success;
  expect([10, 86_400].filter((seconds) => !takes(seconds))).toEqual([]);
  expect([0, 9, 86_401, 60.5, -1, null, "60"].filter(takes)).toEqual([]);
});
