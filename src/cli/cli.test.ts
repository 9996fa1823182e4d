/**
 * The program as a person or a script runs it, with a real gateway and a real store: as a process where it is started,
 * typed into or killed, otherwise by its entry, since each process takes longer than what it is asked.
 */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { EXIT_CODES } from "./exit-codes.ts";
import { runProgram } from "./program.ts";
import { PATIENT_MS } from "../../test/kit/patience.ts";

const MAIN = new URL("../main.ts", import.meta.url).pathname;

type Ran = { code: number; out: string; err: string };

let root = "";
let home = "";
let workspace = "";

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOLDPOINT_HOME: home,
  HOLDPOINT_PORT: "0",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "", // as the launcher does
  ...more,
});

function run(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: environment(env), cwd: workspace, timeout: PATIENT_MS };
    const child = execFile(process.execPath, [MAIN, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, out, err }),
    );
    child.stdin?.end(input);
  });
}

/** The same without a process of its own. */
async function call(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  const said = { out: "", err: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const stdin = Object.assign(Readable.from([input]), { isTTY: false }) as unknown as NodeJS.ReadStream;
  const { stdout: terminal } = process;
  const around = { stdout: stream("out"), stderr: stream("err"), stdin, terminal, cwd: workspace };
  const code = await runProgram(args, { ...around, env: environment(env) });
  return { code, ...said };
}

const json = (text: string): unknown => JSON.parse(text);
const unwrapped = (printed: string): string => printed.replaceAll(/\s+/g, " ");

const Failure = z.object({ error: z.object({ code: z.string(), message: z.string(), exitCode: z.int() }) });

type Server = ChildProcessByStdio<null, Readable, Readable>;
const Ready = z.object({ url: z.string(), pid: z.int(), firstStart: z.boolean(), notes: z.array(z.string()) });

/** A gateway in a process of its own, as soon as it says that it is ready. */
async function serve(env: Record<string, string> = {}): Promise<{ server: Server; ready: z.infer<typeof Ready> }> {
  const options = {
    env: environment(env),
    cwd: workspace,
    stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
  };
  const server = spawn(process.execPath, [MAIN, "start", "--json"], options);
  server.stderr.resume();
  const first = await new Promise<string>((resolve) => {
    server.stdout.once("data", (data: Buffer) => resolve(data.toString()));
  });
  return { server, ready: Ready.parse(json(first)) };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "holdpoint-cli-"));
  home = join(root, "home");
  workspace = await mkdtemp(join(root, "work-"));
  await writeFile(join(workspace, "README.md"), "# Sample\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("the command line", () => {
  it("[GW-08] documents its exit codes in one table", async () => {
    const { code, out } = await run(["help", "exit-codes"]);
    expect(code).toBe(0);
    for (const { code: number, meaning } of Object.values(EXIT_CODES)) expect(out).toContain(`${number}  ${meaning}`);
    expect(new Set(Object.values(EXIT_CODES).map(({ code: number }) => number)).size).toBe(
      Object.keys(EXIT_CODES).length,
    );
  });

  it.each([
    [["strat"], 2],
    [["plan", "accpet"], 2],
    [["start", "--port", "many"], 2],
    [["plan", "revise"], 2],
    [["start", "--workspace", "missing"], 2],
    [["sessions"], 3],
    [["tokens"], 3],
    [["sessions", "show", "nonsense"], 3],
    [["status"], 3],
    [["config", "get", "gateway.prot"], 2],
    [["config", "set", "gateway.port", "many"], 5],
  ] as const)("[GW-05] %j ends with exit code %i, and with one JSON error on request", async (args, expected) => {
    const plain = await call(args);
    const asked = await call([...args, "--json"]);
    expect([plain.code, asked.code, asked.out]).toEqual([expected, expected, ""]);
    expect(plain.err).toMatch(/^✗ /);
    expect(plain.err).not.toMatch(/\n\s+at /);
    expect(Failure.parse(json(asked.err)).error.exitCode).toBe(expected);
  });

  it("[PL-02] setting a value before the first start leaves the hold point on", async () => {
    const env = { HOLDPOINT_HOME: join(root, "set-first") };
    expect((await call(["config", "set", "logging.level", "warn"], { env })).code).toBe(0);
    const { out } = await call(["config", "get", "--json"], { env });
    expect(json(out)).toMatchObject({
      value: { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } }, logging: { level: "warn" } },
    });
  });

  it("[GW-06] says what is wrong with a home folder that cannot be made, and ends", async () => {
    await writeFile(join(root, "a-file"), "");
    const impossible = process.platform === "linux" ? "/proc/holdpoint" : join(root, "a-file", "home");
    for (const [folder, start] of [
      [impossible, run],
      [join(root, "a-file"), call],
      ["relative", call],
    ] as const) {
      const { code, err } = await start(["start"], { env: { HOLDPOINT_HOME: folder } });
      expect([code, err.replaceAll(/\s+/g, " ")]).toEqual([5, expect.stringContaining("HOLDPOINT_HOME")]);
    }
  });

  it("[GW-05] says which store cannot be opened, and leaves it as it is", async () => {
    const damaged = join(root, "damaged");
    const env = { HOLDPOINT_HOME: damaged };
    await mkdir(join(damaged, "store"), { recursive: true, mode: 0o700 });
    await writeFile(join(damaged, "store", "holdpoint.db"), "no database, only words\n".repeat(200));
    for (const command of [["start"], ["audit", "verify"]]) {
      const { code, err } = await call(command, { env });
      expect([code, err.replaceAll(/\s+/g, "")]).toEqual([7, expect.stringContaining(join(damaged, "store"))]);
    }
    expect(await readFile(join(damaged, "store", "holdpoint.db"), "utf8")).toMatch(/^no database/);
  });

  it("[GW-06] says which host cannot be listened on", async () => {
    const env = { HOLDPOINT_HOME: join(root, "no-host") };
    const { code, err } = await call(["start", "--host", "300.300.1.1"], { env });
    expect([code, err]).toEqual([1, expect.stringContaining("cannot listen on 300.300.1.1")]);
  });

  it("[GW-08] takes --json at any place, also where a command is missing", async () => {
    const { code, err } = await call(["--json", "plan"]);
    expect([code, Failure.parse(json(err)).error.message]).toEqual([2, "One of its commands is missing."]);
  });

  it("[GW-08] shows the help of a command inside a group", async () => {
    expect((await call(["help", "plan", "list"])).out).toMatch(/^Usage: holdpoint plan list /);
  });

  it("[GW-06] refuses to start on a broken configuration and names line and setting", async () => {
    const broken = join(root, "broken");
    await call(["config", "set", "logging.level", "warn"], { env: { HOLDPOINT_HOME: broken } });
    await writeFile(join(broken, "config.yaml"), "gateway:\n  prot: 1\n");
    const { code, err } = await call(["start"], { env: { HOLDPOINT_HOME: broken } });
    expect(code).toBe(5);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      'config.yaml:2:3: "prot" is not a setting of gateway. Did you mean "port"?',
    );
  });
});

describe("a gateway that serves", () => {
  let server: Server;
  let ready: z.infer<typeof Ready>;

  beforeAll(async () => {
    ({ server, ready } = await serve());
  });
  afterAll(() => void server.kill("SIGKILL"));

  it("[PL-02] says on its first start that it turned plan mode on", async () => {
    expect(ready.firstStart).toBe(true);
    expect(ready.notes.join("")).toContain("Plan mode is on");
    expect((await stat(join(home, "operator.token"))).mode & 0o777).toBe(0o600);
  });

  it("[GW-08] answers status, sessions, tokens and doctor as JSON, and shows the mode of sessions in words", async () => {
    const status = await call(["status", "--json"]);
    expect(json(status.out)).toMatchObject({
      url: ready.url,
      pid: ready.pid,
      model: "demo",
      waiting: 0,
      health: { ready: true },
    });
    const created = await call(["sessions", "create", "--title", "From a script", "--json"]);
    const { session } = z.object({ session: z.object({ id: z.string() }) }).parse(json(created.out));
    const listed = await call(["sessions", "list", "--json"]);
    expect(json(listed.out)).toMatchObject({ sessions: [{ id: session.id, title: "From a script" }] });
    expect((await call(["sessions", "list"])).out).toContain(`${session.id} · plan ·`);
    expect((await call(["status"])).out).toContain("sessions: 1 in plan mode");
    expect((await call(["sessions", "delete", session.id])).code).toBe(2);
    expect((await call(["sessions", "delete", session.id, "--yes"])).code).toBe(0);
    const doctor = await call(["doctor", "--json"]);
    expect([doctor.code, json(doctor.out)]).toMatchObject([0, { ok: true }]);
  });

  const levelOf = async (check: string) => {
    const { findings } = z
      .object({ findings: z.array(z.object({ name: z.string(), level: z.string() })) })
      .parse(json((await call(["doctor", "--json"])).out));
    return findings.find(({ name }) => name === check)?.level;
  };

  it("[GA-14] the doctor warns of unattended runs that may change things", async () => {
    expect(await levelOf("automation")).toBe("ok");
    await call(["config", "set", "automation.unattended", "open"]);
    expect(await levelOf("automation")).toBe("warn");
    await call(["config", "set", "automation.unattended", "held"]);
  });

  it("[GA-15] the doctor and the status say that a person switched the sandbox off", async () => {
    await call(["config", "set", "tools.exec.sandbox", "none"]);
    expect(await levelOf("sandbox")).toBe("warn");
    expect((await call(["status"])).out).toContain("tools.exec.sandbox is none");
    await call(["config", "unset", "tools.exec.sandbox"]);
    expect((await call(["status"])).out).not.toContain("tools.exec.sandbox is none");
  });

  it("[PL-05, PL-06, PL-07, QU-02] takes a whole cycle through question, rejection and approval", async () => {
    const asked = await run(["chat", "--new"], { input: "Note the opening hours\n" });
    expect([asked.code, asked.out.includes("1. HOLDPOINT_DEMO.md")]).toEqual([EXIT_CODES.waiting.code, true]);
    expect((await call(["plan", "accept"])).code).toBe(EXIT_CODES.nothingToDecide.code);
    const answered = await call(["chat"], { input: "1\n" });
    expect([answered.code, answered.out.includes("You answered: HOLDPOINT_DEMO.md")]).toEqual([
      EXIT_CODES.waiting.code,
      true,
    ]);
    const typed = await call(["chat"], { input: "/plan revise Name the weekend\n" });
    expect([typed.code, typed.out.includes("revision 2")]).toEqual([EXIT_CODES.waiting.code, true]);
    await expect(stat(join(workspace, "HOLDPOINT_DEMO.md"))).rejects.toThrow("ENOENT");
    const bare = await call(["plan", "accept"]);
    expect([bare.code, unwrapped(bare.err)]).toEqual([
      EXIT_CODES.usage.code,
      expect.stringContaining("holdpoint plan accept "),
    ]);
    expect((await call(["plan", "accept", "000000"])).code).toBe(EXIT_CODES.usage.code);
    const piped = await call(["chat"], { input: "/plan accept\n" }); // written before anything was shown
    const told = unwrapped(piped.out + piped.err);
    expect([piped.code, told]).toEqual([
      EXIT_CODES.waiting.code,
      expect.stringMatching(/type \/plan accept [0-9a-f]{6}/),
    ]);
    const command = /\/plan accept [0-9a-f]{6}/.exec(told)?.[0] ?? "";
    const approved = await call(["chat"], { input: `${command}\n` });
    expect([approved.code, unwrapped(approved.out).match(/is complete: /g)]).toEqual([0, ["is complete: "]]); // told once
    expect(await readFile(join(workspace, "HOLDPOINT_DEMO.md"), "utf8")).toContain("Name the weekend");
    expect((await call(["plan", "diff"])).out).toContain("Name the weekend");
    expect((await call(["plan", "accept", "--json"])).code).toBe(EXIT_CODES.nothingToDecide.code);
  });

  it("[RV-01, RV-02, RV-03, CH-01] takes notes, sends them back, compares, exports and shares", async () => {
    await call(["chat", "--new"], { input: "Note the opening hours\n1\n" });
    expect((await call(["plan", "note", "nowhere", "x"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "note", "1", "Name", "the", "holidays"])).out).toContain("Noted.");
    expect((await call(["plan", "note", "plan", "comment: nice"])).code).toBe(0);
    expect((await call(["plan", "resolve", "n2"])).out).toContain("Resolved.");
    expect((await call(["plan", "resolve", "7"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "resolve", "n1", "approve"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "resolve", "pln_none", "reject"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "resolve", "pln_none", "approve", "please"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "resolve", "pln_none", "approve"])).err).toContain("no such plan");
    const noted = await call(["plan", "notes"]);
    expect(noted.out).toMatch(/^n2 · comment · the whole plan · .* · resolved by .*\n {2}nice\nn1 · change · step 1 /);
    expect((await call(["plan", "revise"])).code).toBe(EXIT_CODES.usage.code);
    expect((await call(["plan", "revise", "--notes"])).code).toBe(0);
    const Diff = z.object({ diff: z.object({ to: z.object({ revision: z.int() }), raw: z.string() }).nullable() });
    await expect
      .poll(async () => Diff.parse(json((await call(["plan", "diff", "--json"])).out)).diff?.to.revision, {
        timeout: PATIENT_MS,
      })
      .toBe(2);
    expect((await call(["plan", "diff", "--raw"])).out).toMatch(/^--- revision 1 /);
    const file = join(root, "plan.html");
    expect((await call(["plan", "export", "--format", "html", "--out", file])).code).toBe(0);
    expect(await readFile(file, "utf8")).toContain("Name the holidays");
    expect((await call(["plan", "export", "--format", "html", "--out", file])).code).toBe(EXIT_CODES.usage.code);
    const Shared = z.object({ url: z.string(), shareId: z.string() });
    const { url, shareId } = Shared.parse(json((await call(["plan", "share", "--days", "1", "--json"])).out));
    expect((await fetch(url)).status).toBe(200);
    expect((await call(["plan", "unshare", shareId])).code).toBe(0);
    expect((await fetch(url)).status).toBe(404);
  }, 60_000);

  it("[ST-07] lists and verifies the audit chain", async () => {
    const verified = await call(["audit", "verify", "--json"]);
    expect(json(verified.out)).toMatchObject({ verdict: { intact: true } });
    const listed = await call(["audit", "list", "--limit", "3", "--json"]);
    expect(
      listed.out
        .trim()
        .split("\n")
        .map((line) => z.object({ seq: z.int() }).parse(json(line)).seq),
    ).toEqual([1, 2, 3]);
  });

  it("[GW-03] lets a token do what its scopes say, until it is revoked", async () => {
    const made = await call(["tokens", "create", "reader", "--scope", "read", "--json"]);
    const { token, secret } = z
      .object({ token: z.object({ id: z.string() }), secret: z.string() })
      .parse(json(made.out));
    const env = { HOLDPOINT_TOKEN: secret };
    expect((await call(["sessions", "list"], { env })).code).toBe(0);
    expect((await call(["sessions", "create"], { env })).code).toBe(EXIT_CODES.notAuthorised.code);
    expect((await call(["tokens", "revoke", token.id])).code).toBe(0);
    expect((await call(["status"], { env })).code).toBe(EXIT_CODES.notAuthorised.code);
  });

  it("[GW-03, GW-08] makes a link for one browser, of its maker's scopes or fewer, and lists the browser it let in", async () => {
    const { out } = await call(["link", "--scope", "read", "--json"]);
    const { link } = z.object({ link: z.string() }).parse(json(out));
    expect(link).toMatch(new RegExp(`^${ready.url}/#login=[\\w-]{24}$`));
    expect((await call(["link"])).out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{24}\n$/); // for a pipe: nothing else
    const { url } = ready;
    const exchanged = await fetch(`${url}/auth/exchange`, {
      method: "POST",
      headers: {
        origin: url,
        "content-type": "application/json",
        "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/150",
      },
      body: JSON.stringify({ code: link.split("#login=")[1] }),
    });
    expect([exchanged.status, await exchanged.json()]).toEqual([
      200,
      expect.objectContaining({
        operator: expect.objectContaining({ name: "local", scopes: ["operator.read"] }) as unknown,
      }),
    ]);
    const listed = await call(["tokens", "list"]);
    expect(listed.out).toMatch(/Firefox \(Linux\)\s+browser/);
  });

  it("[GW-04, GW-08] opens the page by a file of its own, since programs see each other's arguments", async () => {
    const bin = join(root, "bin");
    await mkdir(bin);
    const opener = '#!/bin/sh\necho "$@" > "$HOLDPOINT_HOME/opened"\n';
    await writeFile(join(bin, "xdg-open"), opener, { mode: 0o755 });
    await writeFile(join(bin, "open"), opener, { mode: 0o755 });
    const { code, out } = await run(["open", "--json"], { env: { PATH: `${bin}:${process.env["PATH"]}` } });
    const { link, opened } = z.object({ link: z.string(), opened: z.boolean() }).parse(json(out));
    expect([code, opened]).toEqual([0, true]);
    const file = join(home, "open.html");
    await expect.poll(() => readFile(join(home, "opened"), "utf8").catch(() => "")).toBe(`${file}\n`);
    expect(await readFile(file, "utf8")).toContain(link);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("[GW-06] sets a value on the running gateway, and says what needs a restart", async () => {
    const level = await call(["config", "set", "logging.level", "warn", "--json"]);
    expect(json(level.out)).toMatchObject({
      path: "logging.level",
      running: true,
      applied: true,
      restartNeeded: false,
    });
    const host = await call(["config", "set", "gateway.host", "127.0.0.2", "--json"]);
    expect(json(host.out)).toMatchObject({ restartNeeded: true });
    await call(["config", "unset", "gateway.host"]);
  });

  it("[GW-05] a second gateway on the same home is refused with the pid of the first", async () => {
    const { code, err } = await call(["start"]);
    expect([code, err.includes(String(ready.pid))]).toEqual([EXIT_CODES.stateHeld.code, true]);
  });

  it("[GW-05] drains on SIGTERM; backup and verify then work on the store itself", async () => {
    const online = await call(["backup", join(root, "online.db"), "--json"]);
    expect(json(online.out)).toMatchObject({ path: join(root, "online.db") });
    const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect((await call(["status"])).code).toBe(EXIT_CODES.noGateway.code);
    expect((await call(["audit", "verify"])).code).toBe(0);
    const offline = await call(["backup", join(root, "offline.db"), "--json"]);
    expect(json(offline.out)).toMatchObject({ path: join(root, "offline.db") });
    expect((await call(["backup", join(root, "offline.db")])).code).toBe(1);
  });
});

describe("the link to the page", () => {
  async function said(args: readonly string[], env: Record<string, string>): Promise<{ out: string; err: string }> {
    const options = {
      env: environment(env),
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"],
    };
    const server = spawn(process.execPath, [MAIN, "start", ...args], options);
    let [out, err] = ["", ""];
    server.stdout.on("data", (data: Buffer) => void (out += data.toString()));
    server.stderr.on("data", (data: Buffer) => void (err += data.toString()));
    await expect.poll(() => out).toMatch(/Open the page.*\n/);
    server.kill("SIGTERM");
    await new Promise((resolve) => server.once("close", resolve));
    return { out, err };
  }

  it("[UI-01, GW-08] is printed once, when it is asked for, and never logged", async () => {
    const env = { HOLDPOINT_HOME: join(root, "with-link") };
    const { out, err } = await said(["--link"], env);
    expect(out.match(/#login=[\w-]{24}/g)).toHaveLength(1);
    expect(globSync("cache/page/*/page.json", { cwd: env.HOLDPOINT_HOME })).toHaveLength(1); // whoever opens it does not wait
    expect(err + (await readFile(join(env.HOLDPOINT_HOME, "gateway.log"), "utf8"))).not.toContain("login=");
  });

  it("[GW-04] is not printed into a log by itself, since an agent may read logs", async () => {
    const { out, err } = await said([], { HOLDPOINT_HOME: join(root, "without-link") });
    expect(out + err).not.toContain("login=");
    expect(out).toContain("holdpoint open");
  });
});

describe("a gateway that is killed", () => {
  it("[PL-12] has the same question waiting after kill -9, and goes on from its answer", async () => {
    const env = { HOLDPOINT_HOME: join(root, "killed") };
    const before = await serve(env);
    const asked = await run(["chat", "--new"], { env, input: "Note the tides\n" });
    expect(asked.code).toBe(EXIT_CODES.waiting.code);
    const dead = new Promise((resolve) => before.server.once("exit", resolve));
    before.server.kill("SIGKILL");
    await dead;
    const after = await serve(env);
    expect(after.ready.firstStart).toBe(false);
    const again = await call(["chat"], { env, input: "docs/tides.md\n" });
    expect([
      again.code,
      again.out.includes("1. HOLDPOINT_DEMO.md"),
      again.out.includes("You answered: docs/tides.md"),
    ]).toEqual([EXIT_CODES.waiting.code, true, true]);
    const { err } = await call(["plan", "accept"], { env });
    const code = /holdpoint plan accept ([0-9a-f]{6})/.exec(unwrapped(err))?.[1] ?? "";
    expect((await call(["plan", "accept", code], { env })).code).toBe(0);
    await call(["plan", "on"], { env });
    await call(["config", "set", "approvals.approvers", '["somebody else"]'], { env });
    const off = await call(["plan", "off"], { env });
    expect([off.code, unwrapped(off.out)]).toEqual([0, expect.stringContaining("It is held: only reading runs until")]);
    expect((await call(["status"], { env })).out).toContain("1 held");
    const lift = await call(["plan", "lift"], { env });
    expect([lift.code === 0, unwrapped(lift.err)]).toEqual([false, expect.stringContaining("somebody else")]);
    after.server.kill("SIGKILL");
  });
});

describe("the demo", () => {
  it("[RT-02] plays the whole cycle: a refused write, a question, a rejection, an approval, and ends with the diff", async () => {
    const { code, out } = await call(["demo", "--json"]);
    const events = out
      .trim()
      .split("\n")
      .map((line) => z.object({ event: z.string(), payload: z.json() }).parse(json(line)));
    const story = [
      "call.refused",
      "question.asked",
      "question.answered",
      "plan.submitted",
      "plan.rejected",
      "plan.submitted",
      "plan.approved",
      "plan.completed",
      "demo.finished",
    ];
    expect(code).toBe(0);
    expect(events.map(({ event }) => event).filter((event) => story.includes(event))).toEqual(story);
    const firstWrite = events.findIndex(({ event }) => event === "call.claimed");
    expect(firstWrite).toBeGreaterThan(events.findIndex(({ event }) => event === "plan.approved"));
    expect(JSON.stringify(events.at(-1))).toContain("+++ b/README.md");
  });

  it("[RT-02] tells it to a person as well", async () => {
    const { code, out } = await run(["demo", "--fast"]);
    expect([
      code,
      out.includes("⊘ write README.md: held"),
      out.includes("Plan · revision 2"),
      out.includes("+++ b/README.md"),
    ]).toEqual([0, true, true, true]);
  });
});
