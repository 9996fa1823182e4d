import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../protocol/json.ts";
import { hardenedEnvironment, SPLIT_INDEX_QUERY } from "../shell/environment.ts";
import { shellCommandJudge } from "./command-judge.ts";
import { type CallAtGate, judgeInPlan } from "./plan-call.ts";

const PLACE = { cwd: "/w", home: "/home/u" };
const judged = (tool: string, effect: CallAtGate["effect"], args: JsonObject = {}) =>
  judgeInPlan({ tool, effect, args }, PLACE);

describe("one call against plan mode", () => {
  it("[GA-01] passes when the tool only reads", () => {
    expect(judged("read", "read")).toEqual({ allowed: true, code: "read-only" });
  });

  it("[GA-01, GA-07] is held when the tool changes something", () => {
    expect(judged("write", "write")).toEqual({
      allowed: false,
      code: "plan-mode/read-only",
      verdict: "writes",
      matched: "effect=write",
      hint: "This tool changes something; put it into the plan.",
      canonical: undefined,
    });
  });

  it("[GA-05] asks the shell gate about a command, whatever effect the tool has", () => {
    expect(judged("exec", "write", { command: "ls   -la" })).toEqual({
      allowed: true,
      code: "read-only",
      canonical: "ls -la",
    });
    expect(judged("exec", "write", { command: "ls", background: false })).toMatchObject({ allowed: true });
    expect(judged("exec", "read", { command: "rm x" })).toMatchObject({ allowed: false, code: "known-write" });
  });

  it.each([
    [{}, "invalid-arguments", "command", "Give the command as a text."],
    [{ command: 7 }, "invalid-arguments", "command", "Give the command as a text."],
    [{ command: "ls", background: true }, "background", "background", "In plan mode commands run in the foreground."],
    [{ command: "ls", background: "no" }, "background", "background", "In plan mode commands run in the foreground."],
  ])("[GA-05, GA-07] holds a command that cannot be proven: %j", (args, ...[code, matched, hint]) => {
    expect(judged("exec", "read", args)).toEqual({
      allowed: false,
      code,
      verdict: "writes",
      matched,
      hint,
      canonical: undefined,
    });
  });
});

describe("how a proven command is run", () => {
  const proven = (command: string) => {
    const verdict = shellCommandJudge(command, PLACE);
    if (!verdict.reads) throw new Error(verdict.code);
    return verdict;
  };

  /** A machine on which nothing leads out. */
  const BARE = { expand: () => [], leadsOut: () => false };

  it("[GA-06] needs no question unless git runs, and one for each folder when it does", () => {
    expect(proven("ls").questions).toEqual([]);
    expect(proven("git -C sub log").questions.map(({ argv, cwd }) => `${cwd}: ${argv[0]} ${argv[1]}`)).toEqual([
      "/w: git config",
      "/w/sub: git config",
    ]);
  });

  it("[GA-06] switches the filters off that the answers name, and no others", () => {
    const plain = proven("ls").toProcess([], BARE);
    const filtered = proven("git log").toProcess(["filter.a.clean\0", ""], BARE);
    if ("refused" in plain || "refused" in filtered) throw new Error("refused");
    expect(Number(filtered.env["GIT_CONFIG_COUNT"]) - Number(plain.env["GIT_CONFIG_COUNT"])).toBe(4);
    expect(plain).toMatchObject({ argv: ["bash", "--noprofile", "--norc", "-c", "ls"], cwd: "/w" });
    expect(plain.env).toEqual(hardenedEnvironment(PLACE.home));
  });

  it("[GA-06] is refused when a filter cannot be switched off", () => {
    expect(proven("git log").toProcess(["odd\0"], BARE)).toEqual({
      refused: "The repository's filters cannot be switched off: a filter setting that cannot be read: odd.",
    });
  });

  it("[GA-06] is refused without a sandbox when git would run nobody knows where", () => {
    expect(proven('git -C "./$x" log').toProcess([], BARE)).toEqual({
      refused:
        "git would run in a folder that is only known when the command runs, and there is no sandbox here. Write the folder out.",
    });
    expect(proven('git -C "./$x" log').toProcess([])).toMatchObject({ cwd: "/w" });
    expect(proven("git log").toProcess([], BARE)).toMatchObject({ cwd: "/w" });
  });

  it("[GA-06] looks without a sandbox whether an index is split, in each folder, and is refused where one is", () => {
    expect(proven("ls").questionsWithoutSandbox).toEqual([]);
    const asked = proven("git -C sub log").questionsWithoutSandbox ?? [];
    expect(asked.map(({ cwd }) => cwd)).toEqual(["/w", "/w/sub"]);
    for (const { argv, env } of asked) expect([argv, env["HOME"]]).toEqual([SPLIT_INDEX_QUERY, PLACE.home]);
    expect(proven("git log").toProcess(["", "", "", ""], BARE)).toMatchObject({ cwd: "/w" });
    const filters = proven("git log").questions.map(() => "");
    expect(proven("git log").toProcess([...filters, "split"], BARE)).toEqual({
      refused:
        "the index of the git repository is split, and reading it touches a file where there is no sandbox. Put the step into the plan.",
    });
  });

  it("[GA-06] is refused without a sandbox where only the run shows what it opens", () => {
    const sandboxed = proven("cargo tree -i serde");
    expect(sandboxed.toProcess([], BARE)).toEqual({
      refused:
        "the command opens or loads what is only known when it runs, and there is no sandbox here. Put the step into the plan.",
    });
    expect(sandboxed.toProcess([])).toMatchObject({ cwd: "/w" });
  });

  it("[GA-06] is written out where there is no sandbox, and refused where its words lead out", () => {
    expect(proven("cat *.md").toProcess([])).toMatchObject({ canonical: "cat *.md" });
    const files = { expand: () => ["a.md", "b.md"], leadsOut: () => false };
    expect(proven("cat *.md").toProcess([], files)).toMatchObject({ canonical: "cat a.md b.md" });
    expect(proven("cat a.md").toProcess([], { ...BARE, leadsOut: () => true })).toHaveProperty("refused");
  });

  it("[GA-07] hands the reason on when it is not proven", () => {
    expect(shellCommandJudge("rm x", PLACE)).toEqual({
      reads: false,
      code: "known-write",
      verdict: "writes",
      matched: "rm",
      hint: "This changes something; put it into the plan and ask for approval.",
      canonical: "rm x",
    });
  });
});
