import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../protocol/json.ts";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import { PATIENT_MS } from "../../../test/kit/patience.ts";
import { GUEST_LIMITS, type GuestError, type GuestLimits } from "./guest-limits.ts";
import { type GuestProcess, startGuest } from "./guest-process.ts";
import { superviseGuest } from "./supervised-guest.ts";

/** On a busy machine a start takes longer than a gateway waits for it, and so does the end of a process that exits. */
const PATIENT_LIMITS: GuestLimits = { ...GUEST_LIMITS, startMs: PATIENT_MS };

let root = "";
const running: { end(): Promise<void> }[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-guest-")));
});
afterEach(async () => {
  for (const guest of running.splice(0)) await guest.end();
  await rm(root, { recursive: true, force: true });
});

type Started = {
  guest: GuestProcess;
  over: GuestError[];
  logged: string[];
  asked: Json[];
  do(args?: Json): Promise<unknown>;
};

/** A plugin whose one command runs this body; `api` and `args` are in its reach. */
async function plugin(body: string, before = ""): Promise<string> {
  const folder = join(root, "plugin");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "index.js"),
    `${before}
export default { id: "bad", name: "Bad", description: "For tests.", register(api) {
  api.on("session_start", async (args) => { ${body} });
} };\n`,
  );
  return folder;
}

async function start(
  body: string,
  options: { limits?: Partial<GuestLimits>; before?: string; network?: boolean; timeoutMs?: number } = {},
): Promise<Started> {
  const over: GuestError[] = [];
  const logged: string[] = [];
  const asked: Json[] = [];
  const folder = await plugin(body, options.before);
  const limits = { ...PATIENT_LIMITS, ...options.limits };
  const order = { id: "bad", folder, entry: "index.js", config: {}, network: options.network ?? false, limits };
  const guest = await startGuest(order, {
    ask: async ({ op, args }) => void asked.push({ op, args }),
    chunk: () => undefined,
    log: (level, message) => void logged.push(`${level} ${message}`),
    over: (reason) => void over.push(reason),
  });
  running.push(guest);
  const call = (args: Json = null) =>
    guest
      .call("hook:session_start:0", args, { timeoutMs: options.timeoutMs ?? PATIENT_MS })
      .catch((error: Error) => error.message);
  return { guest, over, logged, asked, do: call };
}

const gone = async (at: Started): Promise<string[]> => {
  await at.guest.end();
  return at.over.map(({ message }) => message);
};

it("[PG-01] a plugin that throws what no words can be made of is answered for at once, and not after its time is over", async () => {
  const at = await start("throw new Proxy({}, { get() { throw new Error('trap'); } });");
  expect(await at.do()).toBe("bad: it threw something that cannot be put into words");
});

describe("what a plugin's process cannot reach", () => {
  it("[PG-01][GW-04] no file but its own, none of the environment, no other process, thread or address", async () => {
    await writeFile(join(root, "operator.token"), "hp_secret", { mode: 0o600 });
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const at = await start(
      `const tries = {};
       const attempt = async (name, work) => { try { tries[name] = await work() ?? "done"; } catch (error) { tries[name] = "no"; } };
       await attempt("own", () => fs.readFileSync(new URL(import.meta.url), "utf8").length > 0);
       await attempt("token", () => fs.readFileSync(${JSON.stringify(join(root, "operator.token"))}, "utf8"));
       await attempt("list", () => fs.readdirSync(${JSON.stringify(root)}));
       await attempt("proc", () => fs.readFileSync("/proc/" + process.ppid + "/environ", "utf8"));
       await attempt("write", () => fs.writeFileSync(new URL("./x.js", import.meta.url), "1"));
       await attempt("env", () => Object.keys(process.env).length);
       await attempt("spawn", () => cp.execFileSync("/bin/true"));
       await attempt("fork", () => cp.fork(new URL(import.meta.url)));
       await attempt("thread", () => new wt.Worker("1", { eval: true }));
       await attempt("signal", () => process.kill(process.ppid, 0));
       await attempt("debug", () => process._debugProcess(process.ppid));
       await attempt("addon", () => process.dlopen({ exports: {} }, "/x.node"));
       await attempt("binding", () => process.binding("fs"));
       await attempt("net", () => new Promise((resolve, reject) => net.connect(${port}, "127.0.0.1", () => resolve("connected")).on("error", reject)));
       await attempt("fetch", async () => (await fetch("http://127.0.0.1:${port}")).status);
       await attempt("inspector", async () => (await import("node:inspector")).open(0));
       return tries;`,
      {
        before:
          'import fs from "node:fs"; import cp from "node:child_process"; import net from "node:net"; import wt from "node:worker_threads";',
      },
    );
    expect(await at.do()).toEqual({
      own: true,
      token: "no",
      list: "no",
      proc: "no",
      write: "no",
      env: 0,
      spawn: "no",
      fork: "no",
      thread: "no",
      signal: "no",
      debug: "no",
      addon: "no",
      binding: "no",
      net: "no",
      fetch: "no",
      inspector: "no",
    });
    await new Promise((resolve) => void server.close(resolve));
  });

  it("[PG-01][GW-04] no database: node:sqlite opens files without asking for the permission, so there is none", async () => {
    const file = join(root, "holdpoint.db");
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE secrets (value TEXT); INSERT INTO secrets VALUES ('hp_secret')");
    database.close();
    const at = await start(
      `const tries = {};
       const attempt = async (name, work) => {
         try {
           const { DatabaseSync } = await work();
           tries[name] = new DatabaseSync(${JSON.stringify(file)}).prepare("SELECT value FROM secrets").get().value;
         } catch (error) { tries[name] = error.code ?? "no"; }
       };
       await attempt("import", () => import("node:sqlite"));
       await attempt("builtin", () => process.getBuiltinModule("node:sqlite"));
       await attempt("require", () => createRequire(import.meta.url)("node:sqlite"));
       await attempt("options", () => {
         process.env.NODE_OPTIONS = "--experimental-sqlite";
         process.execArgv.splice(0, Infinity, "--experimental-sqlite");
         return createRequire(import.meta.url)("node:sqlite");
       });
       const code = "process.getBuiltinModule('node:sqlite')";
       await attempt("thread", () => new wt.Worker(code, { eval: true, execArgv: ["--experimental-sqlite"] }));
       await attempt("process", () => cp.execFileSync(process.execPath, ["--experimental-sqlite", "--eval", code]));
       return tries;`,
      {
        before:
          'import cp from "node:child_process"; import { createRequire } from "node:module"; import wt from "node:worker_threads";',
      },
    );
    expect(await at.do()).toEqual({
      import: "ERR_UNKNOWN_BUILTIN_MODULE",
      builtin: "no",
      require: "ERR_UNKNOWN_BUILTIN_MODULE",
      options: "ERR_UNKNOWN_BUILTIN_MODULE",
      thread: "ERR_ACCESS_DENIED",
      process: "ERR_ACCESS_DENIED",
    });
  });

  it("[PG-01][GW-04] no file through a setting of V8, some of which name files to write", async () => {
    const file = join(root, "operator.token");
    await writeFile(file, "hp_secret", { mode: 0o600 });
    const at = await start(
      `for (const flag of ["redirect-code-traces-to=" + ${JSON.stringify(file)}, "redirect-code-traces", "print-opt-code"])
         v8.setFlagsFromString("--" + flag);
       const hot = (x) => { let sum = 0; for (let i = 0; i < 1e6; i++) sum += x * i; return sum; };
       for (let i = 0; i < 50; i++) hot(i);
       return "done";`,
      { before: 'import v8 from "node:v8";' },
    );
    const answer = await at.do();
    expect(await readFile(file, "utf8")).toBe("hp_secret");
    expect(answer).toMatch(/ended by itself \((?:SIG|exit code)/);
  });

  it("[PG-01] the gateway's prototypes: it pollutes its own, and what it sends has none", async () => {
    const at = await start(
      `Object.prototype.polluted = "yes"; Array.prototype.map = () => ["polluted"];
       return JSON.parse('{"__proto__": {"admin": true}, "constructor": {"prototype": {"x": 1}}, "a": {"__proto__": {"b": 1}}}');`,
    );
    const answer = await at.do();
    expect(answer).toEqual({ a: {} });
    expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
    expect([1].map((n) => n)).toEqual([1]);
  });
});

describe("a plugin's process that goes wrong", () => {
  it("[PG-01] and hangs is ended, and whoever waited is told", async () => {
    const at = await start("for (;;);", { timeoutMs: 50, limits: { pingMs: 50 } });
    const waiting = at.guest
      .call("hook:session_start:0", null, { timeoutMs: 60_000 })
      .catch((error: Error) => error.message);
    expect(await at.do()).toBe("bad took longer than 50 ms.");
    expect(await waiting).toBe("The plugin bad does not answer any more; its process was ended.");
    expect(await gone(at)).toEqual(["The plugin bad does not answer any more; its process was ended."]);
  });

  it("[PG-01] and is merely slow goes on", async () => {
    const at = await start("if (args === 'slow') return new Promise(() => undefined); return 'here';", {
      timeoutMs: 50,
      limits: { pingMs: PATIENT_MS },
    });
    expect(await at.do("slow")).toBe("bad took longer than 50 ms.");
    const order = { timeoutMs: PATIENT_MS };
    expect(await at.guest.call("hook:session_start:0", "quick", order)).toBe("here");
    expect(await gone(at)).toEqual([]);
  });

  it.each([
    ["exits", "process.exit(7);", /ended by itself \(exit code 7\)/],
    [
      "is killed by its own memory",
      "const all = []; for (;;) all.push(new Array(100_000).fill(Math.random()));",
      /ended by itself \((?:SIG|exit code)/,
    ],
    [
      "sends a message without end",
      "const fs = process.getBuiltinModule('fs'); for (;;) try { fs.writeSync(3, 'x'.repeat(65536)); } catch {}",
      /sent a message of more than 2097152 bytes/,
    ],
    [
      "sends what is no message",
      "process.getBuiltinModule('fs').writeSync(3, '{\"t\":\"grant\"}\\n'); return new Promise(() => undefined);",
      /sent what is no message/,
    ],
    [
      "registers behind our back",
      'process.getBuiltinModule(\'fs\').writeSync(3, \'{"t":"register","registration":{"kind":"policy"}}\\n\'); return new Promise(() => undefined);',
      /registered what does not fit/,
    ],
    [
      "floods us",
      "for (let n = 0; n < 20_000; n++) api.log('info', 'x'); return new Promise(() => undefined);",
      /floods the gateway with messages/,
    ],
  ])("[PG-01] and %s is contained", async (_what, body, expected) => {
    const at = await start(body, { limits: { heapMegabytes: 32 } });
    expect(await at.do()).toMatch(expected);
    expect((await gone(at)).join()).toMatch(expected);
  });

  it("[PG-01] cannot answer what it was not asked", async () => {
    const at = await start(
      'process.getBuiltinModule(\'fs\').writeSync(3, \'{"t":"done","n":99,"value":1}\\n{"t":"pong","n":5}\\n\'); return \'fine\';',
    );
    expect(await at.do()).toBe("fine");
  });

  it("[PG-01] is not listened to while too much of what it asked is open", async () => {
    const at = await start("for (let n = 0; n < 200; n++) api.runContext.clear('r' + n); return 'asked';", {
      limits: { asksMax: 4 },
    });
    expect(await at.do()).toBe("asked");
    expect(at.asked).toHaveLength(200);
  });

  it("[PG-01] has what it prints in the log, in bounds", async () => {
    const at = await start(
      "console.log('hello'); console.error('y'.repeat(10_000)); for (let n = 0; n < 500; n++) console.log(n); return 1;",
    );
    await at.do();
    await at.guest.end();
    expect(at.logged.slice(0, 1)).toEqual(["info hello"]);
    expect(at.logged.length).toBeLessThanOrEqual(301);
    expect(at.logged.every((line) => line.length <= 2_005)).toBe(true);
  });

  it.each([
    [
      "never finishes loading",
      "await new Promise(() => setInterval(() => undefined, 1000));",
      "The plugin bad did not finish loading within 500 ms; its process was ended.",
    ],
    [
      "spins while it is loaded",
      "for (;;);",
      "The plugin bad did not finish loading within 500 ms; its process was ended.",
    ],
  ])("[PG-01] and %s leaves no process", async (_what, before, message) => {
    await expect(start("", { before, limits: { startMs: 500 } })).rejects.toThrow(message);
  });

  it("[PG-01] and throws while it is loaded leaves no process either", async () => {
    await expect(start("", { before: "throw new Error('no luck');" })).rejects.toThrow("could not be loaded: no luck");
  });

  it("[GA-03] and registers a tool that is not classified is told what it lacks, as inside the gateway", async () => {
    const folder = await plugin("");
    const tool = `{ name: "look", description: "", effect: "read", input: { safeParse() {} }, inputSchema: {}, run() {} }`;
    const code = `export default { id: "bad", name: "Bad", description: "", register(api) { api.tools.registerTool(${tool}); } };`;
    await writeFile(join(folder, "index.js"), code);
    const order = { id: "bad", folder, entry: "index.js", config: {}, network: false, limits: PATIENT_LIMITS };
    const events = { ask: async () => null, chunk: () => undefined, log: () => undefined, over: () => undefined };
    await expect(startGuest(order, events)).rejects.toThrow(
      'could not be loaded: the tool "look" is not classified: its kind is none of bash,',
    );
  });

  it("[PG-01] must be the plugin that its manifest names, and export one", async () => {
    const folder = await plugin("");
    const order = { folder, entry: "index.js", config: {}, network: false, limits: PATIENT_LIMITS };
    const events = { ask: async () => undefined, chunk: () => undefined, log: () => undefined, over: () => undefined };
    await expect(startGuest({ ...order, id: "other" }, events)).rejects.toThrow(
      'its entry is the plugin "bad", its manifest says "other"',
    );
    await writeFile(join(folder, "index.js"), "export const nothing = 1;\n");
    await expect(startGuest({ ...order, id: "bad" }, events)).rejects.toThrow("exports no plugin");
  });
});

describe("a plugin's process that comes back", () => {
  it("[PG-01] is started again when it is needed, after a wait that grows", async () => {
    const clock = fakeClock();
    const trouble: string[] = [];
    const folder = await plugin("if (args === 'crash') process.exit(1); return performance.timeOrigin;");
    const guest = superviseGuest({
      order: { id: "bad", folder, entry: "index.js", config: {}, network: false, limits: PATIENT_LIMITS },
      clock,
      events: { ask: async () => undefined, chunk: () => undefined, log: () => undefined },
      trouble: (reason) => void trouble.push(reason.message),
      refusal: async () => undefined,
    });
    running.push(guest);
    const call = (args: Json) =>
      guest.call("hook:session_start:0", args, { timeoutMs: PATIENT_MS }).catch((error: Error) => error.message);
    const first = await call(null);
    await call("crash");
    expect(await call(null)).toBe("The plugin bad failed and starts again in 1 s at the earliest.");
    clock.advance(500);
    const second = await call(null);
    expect([first, second]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(first).not.toBe(second);
    await call("crash");
    clock.advance(500);
    expect(await call(null)).toBe("The plugin bad failed and starts again in 1 s at the earliest.");
    clock.advance(500);
    expect(await call(null)).toEqual(expect.any(Number));
    expect(trouble).toHaveLength(2);
  });

  it("[PG-01] is not let in when its files changed, or when it registers something else", async () => {
    const clock = fakeClock();
    let refusal: string | undefined;
    const folder = await plugin("process.exit(1);");
    const guest = superviseGuest({
      order: { id: "bad", folder, entry: "index.js", config: {}, network: false, limits: PATIENT_LIMITS },
      clock,
      events: { ask: async () => undefined, chunk: () => undefined, log: () => undefined },
      trouble: () => undefined,
      refusal: async () => refusal,
    });
    running.push(guest);
    const call = () =>
      guest.call("hook:session_start:0", null, { timeoutMs: PATIENT_MS }).catch((error: Error) => error.message);
    await call();
    clock.advance(60_000);
    refusal = "Its files are not those that were installed.";
    expect(await call()).toBe(refusal);
    refusal = undefined;
    const text = await readFile(join(folder, "index.js"), "utf8");
    await writeFile(join(folder, "index.js"), text.replace("session_start", "before_tool_call"));
    expect(await call()).toBe("The plugin bad registered something else when it was started again.");
  });
});

/** A process of its own that starts a guest and calls it, as a gateway would. */
const OWNER = `
  import { GUEST_LIMITS } from ${JSON.stringify(new URL("./guest-limits.ts", import.meta.url).href)};
  import { startGuest } from ${JSON.stringify(new URL("./guest-process.ts", import.meta.url).href)};
  const none = () => undefined;
  const order = { id: "bad", folder: process.argv[1], entry: "index.js", config: {}, network: false, limits: GUEST_LIMITS };
  const guest = await startGuest(order, { ask: async () => undefined, chunk: none, log: none, over: none });
  guest.call("hook:session_start:0", null, { timeoutMs: 600_000 }).catch(none);
  setInterval(none, 1_000);
  process.stdout.write("calling");
`;

describe.skipIf(!existsSync("/usr/bin/setpriv"))("a gateway that is killed", () => {
  it("[PG-01] takes its plugins' processes with it, also one that never listens again", async () => {
    const folder = await plugin("for (;;) ;");
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", OWNER, folder]);
    await once(owner.stdout, "data");
    const children = await readFile(`/proc/${owner.pid}/task/${owner.pid}/children`, "utf8");
    const [guest] = children.trim().split(" ").map(Number);
    if (guest === undefined || guest === 0) throw new Error("it started none");
    owner.kill("SIGKILL");
    await once(owner, "exit");
    // one that has ended and that nobody has asked about yet has no command line any more
    await expect.poll(() => readFile(`/proc/${guest}/cmdline`, "utf8").catch(() => "")).toBe("");
  });
});
