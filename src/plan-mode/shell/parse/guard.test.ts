import { describe, expect, it } from "vitest";
import { COMMAND_LENGTH_MAX, decodedIsClean, guardText } from "./guard.ts";
import { judgeShell } from "../shell-gate.ts";

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

  it.each([
    0x00a0, 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x2000, 0x200f, 0x2028,
    0x202f, 0x205f, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe00, 0xfe0e, 0xfeff, 0xffa0, 0xfff9, 0xfffc, 0x1bca0, 0x1bca3,
    0x1d173, 0x1d17a, 0xe0000, 0xe0fff,
  ])("[GA-05] refuse every character that cannot be seen, and name it: %x", (point) => {
    const character = String.fromCodePoint(point);
    const matched = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    expect(guardText(`ls ${character}`)).toMatchObject({ code: "invisible-character", matched });
    expect(decodedIsClean(`a${character}`)).toBe(false);
  });

  it.each([0x00a1, 0x00ae, 0x0350, 0x1681, 0x2010, 0x2030, 0x2070, 0x2801, 0xfe0f, 0x1d17b])(
    "[GA-05] let the neighbours of those pass: %x",
    (point) => expect(decodedIsClean(`a${String.fromCodePoint(point)}`)).toBe(true),
  );

  it("[GA-05] look at decoded text in the same way", () => {
    expect(decodedIsClean("plain ü\n\t")).toBe(true);
    expect(["\u0007", "\ud800", "\u007f"].map(decodedIsClean)).toEqual([false, false, false]);
  });

  it("[GA-07] say what they found", () => {
    expect(guardText("ls \u0007")).toMatchObject({ code: "control-character", matched: "U+0007" });
    expect(guardText("ls \ud800")).toMatchObject({ code: "invisible-character", matched: "lone surrogate" });
    expect(guardText("  ")).toMatchObject({ code: "empty", matched: "" });
    expect(guardText(7)).toMatchObject({ code: "empty", matched: "" });
    expect(guardText("x".repeat(COMMAND_LENGTH_MAX + 1))).toMatchObject({
      code: "too-long",
      matched: "8001 characters",
    });
    expect(guardText("x".repeat(COMMAND_LENGTH_MAX))).toBeUndefined();
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
