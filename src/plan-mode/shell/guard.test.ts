import { describe, expect, it } from "vitest";
import { COMMAND_LENGTH_MAX, guardText } from "./guard.ts";
import { judgeShell } from "./gate.ts";

describe("the checks on the raw text", () => {
  it.each([
    ["ls\u0000 -la", "control-character"],
    ["ls\r\ntouch x", "control-character"],
    ["ls\u001b[2K", "control-character"],
    ["ls\u0085touch x", "control-character"],
    ["ls\u00a0-la", "invisible-character"],
    ["git\u200b status", "invisible-character"],
    ["\u202els -la", "invisible-character"],
    ["ls\u2028touch x", "invisible-character"],
    ["ls \u{e0041}", "invisible-character"],
    ["ls \ud800", "invisible-character"],
    ["ls ； touch x", "look-alike-character"],
    ["ls ＞ x", "look-alike-character"],
  ])("[GA-05] refuse what people and parsers read differently: %j", (command, code) => {
    expect(guardText(command)?.code).toBe(code);
  });

  it("[GA-05] refuse a look-alike dash where it would be bare, and let it stand inside quotes", () => {
    const place = { cwd: "/w", home: "/home/u" };
    expect(judgeShell("find . –delete", place)).toMatchObject({ allowed: false, code: "look-alike-character" });
    expect(judgeShell("grep '–' a.txt", place).allowed).toBe(true);
  });

  it.each(["grep 日本語 a.txt", "echo 'ü → é ✅'", "ls\n\tpwd"])("[GA-05] let ordinary text pass: %j", (command) => {
    expect(guardText(command)).toBeUndefined();
  });

  it("[GA-08] stop at the length limit", () => {
    expect(guardText(`echo ${"a".repeat(COMMAND_LENGTH_MAX)}`)?.code).toBe("too-long");
  });
});
