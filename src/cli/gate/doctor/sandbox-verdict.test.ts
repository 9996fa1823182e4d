import { expect, it } from "vitest";
import { sandboxVerdict } from "./sandbox-verdict.ts";

const say = (kind: "none" | "seatbelt" | "bubblewrap", platform: NodeJS.Platform): string =>
  sandboxVerdict({ kind, isUncertain: false, platform });

it("[GA-11, GA-15] says of macOS that it was not run by who wrote it, with a sandbox and without", () => {
  expect(say("seatbelt", "darwin")).toMatch(/\(seatbelt\).*macOS: not run here/);
  expect(say("none", "darwin")).toMatch(/sandbox-exec is missing.*not run here.*commands are refused/);
  expect(say("bubblewrap", "linux")).not.toContain("macOS");
});

it("[GA-11, GA-15] says of a system without a known sandbox that commands are refused", () => {
  expect(say("none", "freebsd")).toMatch(/none is known for this system.*commands are refused/);
  expect(say("none", "linux")).toMatch(/neither bubblewrap.*refused.*Install bubblewrap/);
});
