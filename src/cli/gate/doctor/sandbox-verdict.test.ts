import { expect, it } from "vitest";
import { sandboxVerdict } from "./sandbox-verdict.ts";

const say = (kind: "none" | "seatbelt" | "bubblewrap", platform: NodeJS.Platform): string =>
  sandboxVerdict({ kind, isUncertain: false, platform, settings: HIDES, failed: 0 });
const HIDES = { sandbox: "auto", hideStateFolder: true } as const;

it("[GA-11] says nothing of a sandbox that is switched off, shows the folder, or did not hold", () => {
  const seen = { kind: "bubblewrap", isUncertain: false, platform: "linux" } as const;
  const none = sandboxVerdict({ ...seen, settings: { ...HIDES, sandbox: "none" }, failed: 3 });
  const shown = sandboxVerdict({ ...seen, settings: { ...HIDES, hideStateFolder: false }, failed: 1 });
  const failed = sandboxVerdict({ ...seen, settings: HIDES, failed: 2 });
  for (const verdict of [none, shown, failed]) expect(verdict).not.toContain("does not exist");
  expect([none, shown, failed]).toEqual([
    expect.stringContaining("runs without a sandbox"),
    expect.stringContaining("see the gateway's folder"),
    expect.stringContaining("2 lines above failed"),
  ]);
  expect(sandboxVerdict({ ...seen, settings: HIDES, failed: 0 })).toContain("does not exist");
});

it("[GA-11, GA-15] says of macOS that it was not run by who wrote it, with a sandbox and without", () => {
  expect(say("seatbelt", "darwin")).toMatch(/\(seatbelt\).*macOS: not run here/);
  expect(say("none", "darwin")).toMatch(/sandbox-exec is missing.*not run here.*commands are refused/);
  expect(say("bubblewrap", "linux")).not.toContain("macOS");
});

it("[GA-11, GA-15] says of a system without a known sandbox that commands are refused", () => {
  expect(say("none", "freebsd")).toMatch(/none is known for this system.*commands are refused/);
  expect(say("none", "linux")).toMatch(/neither bubblewrap.*refused.*Install bubblewrap/);
});
