import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxHere } from "../../../../test/kit/builtin-tools.ts";
import { execWorld, runs, SECRET } from "../../../../test/kit/exec-world.ts";
import { fakeClock } from "../../../../test/kit/fake-clock.ts";
import { shellCommandJudge as execJudge } from "../../../plan-mode/gates/command-judge.ts";
import type { BareWords } from "../../../plugins/command-judge.ts";
import { NO_SANDBOX } from "../../../runner/sandbox.ts";
import { USUAL_EXEC_SETTINGS } from "./exec-parts.ts";

const isSandboxed = (await sandboxHere.kind()) !== "none";
/** As a person sets it who decides to go without one. */
const BARE = { settings: () => ({ ...USUAL_EXEC_SETTINGS, sandbox: "none" as const }) };

describe("a command that is proven to read", () => {
  it("[GA-05, GA-06] counts as reading and runs without a permit, in its canonical form", async () => {
    const { exec } = execWorld({ files: { "a.txt": "b\na\n" } });
    expect(await exec("cat   a.txt|sort")).toEqual({
      effect: "read",
      status: "ok",
      content: { exitCode: 0, output: "a\nb\n", ran: "cat a.txt | sort" },
    });
    expect(await exec("ls")).toEqual({ effect: "read", status: "ok", content: { exitCode: 0, output: "a.txt\n" } });
  });

  it("[GA-06] inherits nothing of the gateway's environment", async () => {
    const { exec } = execWorld();
    process.env["ACME_SETTING"] = "here";
    try {
      const { content } = await exec('echo "${ACME_SETTING}" "$PAGER" "$GIT_OPTIONAL_LOCKS"');
      expect(content).toMatchObject({ output: " cat 0\n" });
    } finally {
      delete process.env["ACME_SETTING"];
    }
  });

  it.runIf(isSandboxed)("[GA-06] cannot write even if the judge should err", async () => {
    const { exec, workspace } = execWorld({ parts: { commandJudge: everythingReads } });
    expect(await exec("touch pwned; echo $?")).toMatchObject({
      effect: "read",
      content: { output: expect.stringMatching(/Read-only/) },
    });
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });

  it.runIf(isSandboxed)(
    "[GW-04] cannot see the gateway's own folder, wherever it lies and however it is named",
    async () => {
      const { exec, state } = execWorld();
      for (const command of [`cat ${state}/operator.token`, "cat ../state/oper*", "grep -r . ..", `ls -la ${state}`]) {
        expect(JSON.stringify(await exec(command))).not.toContain(SECRET);
      }
    },
  );

  it.each([
    ["gone", () => undefined],
    ["another", (state: string) => mkdirSync(state)],
  ])("[GW-04] is not run when the gateway's folder was moved away and is now %s", async (_what, replace) => {
    const { exec, state } = execWorld();
    expect(await exec("ls")).toMatchObject({ status: "ok" });
    renameSync(state, `${state}-moved`);
    replace(state);
    for (const command of ["cat ../state-moved/operator.token", "cat ../state-moved/operator.token; true > x"]) {
      expect(await exec(command)).toMatchObject({
        status: "error",
        content: "Not run: the gateway's own folder is not where it was, so it cannot be kept out of sight.",
      });
    }
    rmSync(`${state}-moved`, { recursive: true });
  });

  it("[GW-04] is refused without a sandbox when it names that folder, or the folder of processes", async () => {
    const { exec, state } = execWorld({ parts: BARE });
    expect(await exec(`cat /proc/${process.pid}/environ`)).toMatchObject({
      status: "error",
      content: expect.stringMatching(/^Not run/),
    });
    expect(await exec(`cat ${state}/operator.token`)).toEqual({
      effect: "read",
      status: "error",
      content: "Not run: the command names a folder that belongs to the gateway. Leave it out.",
    });
  });

  it.each([
    ["sandboxed", {}],
    ["without a sandbox", BARE],
  ])("[GA-06] switches the filters of a repository off first, %s", async (_how, given) => {
    const { exec, workspace } = execWorld({ files: { "a.txt": "one\n" }, parts: given });
    repository(workspace);
    expect(await exec("git status --short && git diff --stat")).toMatchObject({ effect: "read", status: "ok" });
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
    expect(await exec("git diff --stat; true > x")).toMatchObject({ effect: "write" });
    expect(existsSync(join(workspace, "pwned"))).toBe(true); // an ordinary git runs it
  });

  it("[GA-06] is refused without a sandbox when git would run in a folder that nobody knows yet", async () => {
    const { exec, workspace } = execWorld({ parts: BARE });
    repository(workspace);
    const { content, effect } = await exec('for d in ./*; do git -C "$d" status; done');
    expect({ effect, content }).toEqual({ effect: "read", content: expect.stringContaining("no sandbox here") });
  });

  it.each([
    ["sandboxed", {}],
    ["without a sandbox", BARE],
  ])("[GA-06] touches no half of a split index: %s", async (how, given) => {
    const { exec, workspace } = execWorld({ files: { "a.txt": "one\n" }, parts: given });
    repository(workspace);
    execFileSync("git", ["update-index", "--split-index"], { cwd: workspace });
    const half = readdirSync(join(workspace, ".git")).find((name) => name.startsWith("sharedindex.")) ?? "";
    const path = join(workspace, ".git", half);
    utimesSync(path, 1, 1);
    const { content } = await exec("git status --short");
    expect(statSync(path).mtimeMs).toBe(1_000);
    const isRefused = JSON.stringify(content).includes("the index of the git repository is split");
    expect(isRefused).toBe(how === "without a sandbox");
  });

  it("[GA-05] is refused without a sandbox when only one makes it a read", async () => {
    const { exec } = execWorld({ files: { list: "a\n" }, parts: BARE });
    for (const command of ["bundle list", 'while read -r f; do cat < "$f"; done < list'])
      expect(await exec(command)).toMatchObject({
        effect: "read",
        content: expect.stringContaining("there is no sandbox here"),
      });
  });

  it("[TO-09] runs in a folder of the workspace, and nowhere else", async () => {
    const { exec, workspace } = execWorld({ files: { "sub/x": "" } });
    expect(await exec("ls", { cwd: "sub" })).toMatchObject({ content: { output: "x\n" } });
    symlinkSync("/", join(workspace, "out"));
    for (const cwd of ["..", "/", "out", "~", "../state"]) {
      expect(await exec("ls", { cwd })).toMatchObject({
        status: "error",
        content: expect.stringMatching(/cannot be used/),
      });
    }
  });

  it("[GA-08] is judged again for the folder that is really found: no permit, no other command", async () => {
    const { prepare } = execWorld();
    expect(prepare("exec", { command: "ls" }).effect).toBe("read");
    expect(prepare("exec", { command: "ls > x" }).effect).toBe("write");
    expect(prepare("exec", { command: "ls", background: true }).effect).toBe("write");
  });
});

describe("where the machine has no sandbox", () => {
  it("[GA-15] no command runs, and the answer says what a person can do", async () => {
    const { exec, workspace } = execWorld({ parts: { sandbox: NO_SANDBOX }, files: { "a.txt": "x" } });
    for (const command of ["cat a.txt", "touch made"]) {
      expect(await exec(command)).toMatchObject({
        status: "error",
        content: expect.stringMatching(/^Not run: this machine has no sandbox.*tools\.exec\.sandbox to "none"/),
      });
    }
    expect(existsSync(join(workspace, "made"))).toBe(false);
  });
});

describe("where a person set tools.exec.sandbox to none", () => {
  const files = { "a.txt": "one\n", "b.txt": "two\n", "sub/c.txt": "three\n", "-n": "dashed\n" };

  it("[GA-15] a pattern is written out before the command runs, and what runs is told", async () => {
    const { exec } = execWorld({ parts: BARE, files });
    expect(await exec("cat *.txt")).toMatchObject({ content: { output: "one\ntwo\n", ran: "cat a.txt b.txt" } });
    expect(await exec("cat s?b/[a-d].txt ./[-]n | head -n 3")).toMatchObject({
      content: { output: "three\ndashed\n" },
    });
    expect(await exec("grep -rn o . --include='*.txt'")).toMatchObject({ status: "ok" });
    expect(await exec("sed -n 1,2p a.txt")).toMatchObject({ content: { output: "one\n" } });
    expect(await exec("cat d??r/*")).toMatchObject({ status: "error" }); // patterns do not lead through links
    expect(await exec("ls *.none")).toMatchObject({ status: "error", content: { exitCode: 2 } });
  });

  it("[GA-15, GW-04] no name leads out of the workspace, whatever the pattern, the link or the option is", async () => {
    const { exec, prepare, state, workspace } = execWorld({ parts: BARE, files });
    symlinkSync(state, join(workspace, "door"));
    symlinkSync(join(state, "operator.token"), join(workspace, "note"));
    const guessed = state.replace(/state$/, "st?te");
    for (const command of [
      `cat ${guessed}/oper*`,
      "cat ../st?te/*",
      "cat door/operator.token",
      "cat no?e",
      "head -n 9 note",
      "grep -h hp_ -r ..",
      "grep -rh hp_ door",
      "grep -Rh hp_ .",
      "rg -L hp_",
      "rg --follow hp_",
      "find -L . -type f",
      "find . -exec cat {} +",
      "find . -name note | xargs cat",
      'for f in *; do cat "$f"; done',
      "cat < note",
      "cat /pro?/self/environ",
      "cat /etc/pass*",
      "sed -n 'r note' a.txt",
      "awk 'BEGIN { while ((getline l < \"note\") > 0) print l }'",
      "diff -r door sub",
      "wc --files0-from=note",
      "grep --file=note one a.txt",
      "grep -fnote one a.txt",
    ]) {
      if (prepare("exec", { command }).effect === "write") continue; // it waits for a person anyway
      const { content } = await exec(command);
      expect([command, content]).toEqual([command, expect.stringMatching(/^Not run: /)]);
    }
  });

  it("[GA-15] a search of the folder that holds the gateway's own is refused, and one beside it is not", async () => {
    const { exec, state } = execWorld({ parts: BARE, files });
    const above = { workspace: join(state, "..") };
    for (const command of ["grep -rh hp_ .", "rg -uuu hp_", "find .", "cat */*"])
      expect([command, await exec(command, {}, above)]).toMatchObject([command, { status: "error" }]);
    expect(await exec("grep -rh one w", {}, above)).toMatchObject({ status: "error" }); // it stands in the folder above
    expect(await exec("cat w/a.txt", {}, above)).toMatchObject({ status: "ok", content: { output: "one\n" } });
  });
});

const everythingReads = (command: string, place: { cwd: string; home: string }) => {
  const judged = execJudge("true", place);
  if (!judged.reads) throw new Error("true writes?");
  return {
    ...judged,
    toProcess: (answers: readonly string[], bare?: BareWords) => {
      const process = judged.toProcess(answers, bare);
      return "refused" in process ? process : { ...process, argv: [...process.argv.slice(0, -1), command] };
    },
  };
};

/** A repository whose filter would leave a trace. */
function repository(folder: string): void {
  const script = `git init -q . && git config filter.evil.clean 'touch ${folder}/pwned; cat' && echo '* filter=evil' > .gitattributes`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  spawnSync("bash", ["-c", `${script} && git add -A 2>/dev/null; rm -f pwned; echo two >> a.txt`], {
    cwd: folder,
    env,
  });
}

describe("any other command", () => {
  it("runs in the workspace, as it was given, and returns exit code and output of both streams", async () => {
    const { exec, chunks, workspace } = execWorld();
    expect(await exec("echo hi > made; echo no >&2")).toEqual({
      effect: "write",
      status: "ok",
      content: { exitCode: 0, output: "no\n" },
    });
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("hi\n");
    expect(chunks.join("")).toBe("no\n");
    expect(await exec("touch x; exit 3")).toMatchObject({ status: "error", content: { exitCode: 3 } });
  });

  it("[GA-12] does not run without a permit", async () => {
    const { prepare } = execWorld();
    const context = { signal: new AbortController().signal } as never;
    await expect(prepare("exec", { command: "touch x" }).run(context, undefined)).rejects.toThrow("no unspent permit");
  });

  it("[GW-04] hands on neither the gateway's variables nor keys", async () => {
    process.env["HOLDPOINT_TOKEN_FILE"] = "here";
    process.env["ACME_API_KEY"] = "k";
    try {
      const { content } = await execWorld().exec("touch x; env");
      expect((content as { output: string }).output).not.toMatch(/HOLDPOINT|ACME/);
      expect((content as { output: string }).output).toMatch(/^PATH=/m);
    } finally {
      delete process.env["HOLDPOINT_TOKEN_FILE"];
      delete process.env["ACME_API_KEY"];
    }
  });

  it.runIf(isSandboxed)("[GW-04] sees neither the gateway's folder nor its process", async () => {
    const { exec, state } = execWorld();
    const tries = [
      `touch x; cat ${state}/operator.token`,
      `touch x; umount ${state}; cat ${state}/operator.token`,
      `touch x; cat /proc/${process.pid}/root${state}/operator.token; cat /proc/${process.pid}/environ`,
      `touch x; unshare -Urm sh -c 'umount ${state}; cat ${state}/operator.token'`,
      `touch x; for p in /proc/[0-9]*; do cat $p/root${state}/operator.token; done`,
    ];
    for (const command of tries) expect(JSON.stringify(await exec(command))).not.toContain(SECRET);
    expect(readFileSync(join(state, "operator.token"), "utf8")).toBe(SECRET);
  });

  it("[GW-04] sees everything where a person switched that off", async () => {
    const { exec, state } = execWorld({
      parts: { settings: () => ({ ...USUAL_EXEC_SETTINGS, hideStateFolder: false }) },
    });
    expect(await exec(`touch x; ls ${state}`)).toMatchObject({ content: { output: "operator.token\n" } });
  });

  it.each([
    ["hiding", {}],
    ["plain", BARE],
  ])("[RT-04] is stopped with everything that it started, %s", async (_how, given) => {
    const { exec, stop, chunks, workspace } = execWorld({ parts: given });
    const marker = `60.${process.pid}${chunks.length}`;
    const running = exec(`(trap '' TERM; sleep ${marker}; touch survived) & echo begun; wait`);
    await expect.poll(() => chunks.join("")).toBe("begun\n");
    stop.abort();
    expect(await running).toMatchObject({ status: "error", content: { stopped: "by request" } });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(false);
    expect(existsSync(join(workspace, "survived"))).toBe(false);
  });

  it("is stopped by its own time limit", async () => {
    const clock = fakeClock();
    const { exec, chunks } = execWorld({ parts: { clock } });
    const running = exec("echo begun; touch x; sleep 60", { timeoutSeconds: 1 });
    await expect.poll(() => chunks.join("")).toBe("begun\n");
    clock.advance(1_000);
    expect(await running).toMatchObject({
      status: "error",
      content: { stopped: "after 1 seconds", output: "begun\n" },
    });
  });

  it.each([
    ["hiding", {}, ""],
    ["plain", BARE, ""],
    ["hiding, begun a session of their own", {}, "setsid "],
    ["plain, begun a session of their own", BARE, "setsid "],
  ])("ends background children when the command itself has ended, %s", async (how, given, away) => {
    const marker = `61.${process.pid}${how.length}`;
    await execWorld({ parts: given }).exec(`(${away}sleep ${marker} >/dev/null 2>&1 &); touch x`);
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(false);
  });

  it("runs nothing when the workspace is gone", async () => {
    const { exec, workspace } = execWorld();
    rmSync(workspace, { recursive: true });
    expect(await exec("touch x")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/the workspace folder does not exist/),
    });
  });

  it("keeps the beginning and the end of a long output", async () => {
    const { content } = await execWorld().exec("seq 1 100000");
    const { output } = content as { output: string };
    expect(output.slice(0, 6)).toBe("1\n2\n3\n");
    expect(output.slice(-7)).toBe("100000\n");
    expect(output).toContain("characters left out here");
    expect(output.length).toBeLessThan(51_000);
  });

  it.each([
    ["an empty text", ""],
    ["blanks", "  "],
    ["a NUL", "a\u0000b"],
    ["8,001 characters", "x".repeat(8_001)],
    ["a number", 7],
    ["nothing", null],
  ])("[GA-08] refuses %s for a command", async (_what, command) => {
    expect(() => execWorld().prepare("exec", { command })).toThrow("exec was not run");
  });

  it("[GA-08] counts every command as writing where nobody can judge it", () => {
    const { prepare } = execWorld({ parts: { commandJudge: undefined } });
    expect(prepare("exec", { command: "ls" }).effect).toBe("write");
  });
});

describe("in the background", () => {
  it("[TO-09] starts, is watched, and is ended", async () => {
    const { exec, call } = execWorld();
    const marker = `62.${process.pid}`;
    const { content } = await exec(`echo begun; sleep ${marker}`, { background: true });
    const { id } = content as { id: string };
    expect(await call("process", { action: "poll", id, waitSeconds: 20 })).toMatchObject({
      effect: "read",
      status: "ok",
      content: { id, status: "running", fresh: "begun\n" },
    });
    expect(await call("process", { action: "poll", id })).toMatchObject({ content: { fresh: "" } });
    expect(await call("process", { action: "list" })).toMatchObject({ content: { processes: [{ id }] } });
    expect(await call("process", { action: "kill", id })).toMatchObject({
      effect: "write",
      content: { status: "ended by request" },
    });
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(false);
    expect(await call("process", { action: "log", id })).toMatchObject({ content: { output: "begun\n" } });
  });

  it("tells how it ended by itself", async () => {
    const { exec, call } = execWorld();
    const { content } = await exec("exit 4", { background: true });
    const { id } = content as { id: string };
    await expect
      .poll(async () => (await call("process", { action: "poll", id, waitSeconds: 5 })).content)
      .toMatchObject({ status: "ended with exit code 4" });
  });

  it.each([
    ["hiding", {}],
    ["plain", BARE],
  ])("[TO-09] outlives the turn that started it, and ends with all that it started, %s", async (_how, given) => {
    const { exec, stop, processes } = execWorld({ parts: given });
    const marker = `65.${process.pid}${given === BARE ? "1" : "2"}`;
    // the grandchild leaves its group and its parents, and ignores the polite signal
    const away = `setsid sh -c 'trap "" TERM HUP; sleep ${marker} & wait' & echo away`;
    await exec(`(${away}); sleep ${marker}`, { background: true });
    await expect.poll(() => processes.list("ses_1" as never)[0]?.output.text()).toBe("away\n");
    stop.abort();
    const [running] = processes.list("ses_1" as never);
    expect(running?.end()).toBeUndefined();
    expect(await processes.endRunning("ses_1" as never, "no more")).toEqual([running?.id]);
    expect([running?.reason(), running?.end()]).toEqual(["no more", { ended: "aborted" }]);
    expect(runs(`sleep ${marker}`)).toBe(false);
    expect(await processes.endRunning("ses_1" as never, "again")).toEqual([]);
  });

  it("[TO-09] is not started for a turn that was stopped before", async () => {
    const { processes } = execWorld();
    const order = {
      file: "/bin/true",
      args: [],
      cwd: "/",
      env: {},
      timeoutMs: 1_000,
      command: "true",
      contained: false,
    };
    expect(processes.start(order, { sessionId: "ses_1" as never, signal: AbortSignal.abort() })).toEqual({
      error: "Not started: the turn was stopped.",
    });
  });

  it("[RT-04] ends with its session and with the gateway", async () => {
    const { exec, processes } = execWorld();
    const marker = `63.${process.pid}`;
    await exec(`sleep ${marker}`, { background: true });
    const [running] = processes.list("ses_1" as never);
    await processes.endSession("ses_1" as never);
    expect(running?.end()).toEqual({ ended: "aborted" });
    expect(processes.list("ses_1" as never)).toEqual([]);
    await expect.poll(() => runs(`sleep ${marker}`)).toBe(false);
  });

  it("has a limit of its own, and knows no other session's programs", async () => {
    const { exec, call } = execWorld();
    for (let n = 0; n < 16; n++) await exec("sleep 64", { background: true });
    expect(await exec("sleep 64", { background: true })).toMatchObject({
      status: "error",
      content: expect.stringMatching(/16 programs/),
    });
    expect(await call("process", { action: "kill", id: "prc_999" })).toMatchObject({
      status: "error",
      content: "There is no process prc_999. List them.",
    });
  });
});
