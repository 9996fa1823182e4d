import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import { createRunner, RunnerEnded } from "./runner.ts";

const signal = new AbortController().signal;

/** A process that runs this script. */
function running(script: string, clock = fakeClock()) {
  let starts = 0;
  const program = async () => {
    starts += 1;
    return { file: process.execPath, args: ["--input-type=module", "-e", script] };
  };
  const runner = createRunner({ program, clock });
  onTestFinished(() => runner.end());
  return { runner, clock, starts: () => starts };
}

const SERVE = `import { serve } from ${JSON.stringify(new URL("./serve.ts", import.meta.url).href)};`;

it("[GA-13] answers many questions at once, each with its own answer", async () => {
  const { runner, starts } = running(`${SERVE} serve(async ({ n }) => ({ n, text: "é".repeat(n) }));`);
  const answers = await Promise.all([3, 70_000, 1].map((n) => runner.call({ n }, signal)));
  expect(answers).toEqual([3, 70_000, 1].map((n) => ({ n, text: "é".repeat(n) })));
  expect(starts()).toBe(1);
});

it("[GA-13] says that nobody knows what became of a question whose process died, and starts anew for the next", async () => {
  const { runner, starts } = running(
    `${SERVE} serve(async ({ n }) => (n === 1 ? process.exit(3) : n)); process.stderr.write("last words");`,
  );
  const first = runner.call({ n: 1 }, signal);
  await expect(first).rejects.toThrow(RunnerEnded);
  await expect(first).rejects.toThrow("exit code 3): last words");
  expect(await runner.call({ n: 2 }, signal)).toBe(2);
  expect(starts()).toBe(2);
});

it("[GA-13] takes what is no answer for the end of the process", async () => {
  const { runner } = running(
    `process.stdin.once("data", () => process.stdout.write("\\u00ff\\u00ff\\u00ff\\u00ff!!"));`,
  );
  await expect(runner.call({}, signal)).rejects.toThrow(RunnerEnded);
});

it("tells the process when nobody waits any more", async () => {
  const { runner } = running(
    `${SERVE} serve((_, signal) => new Promise((done) => signal.addEventListener("abort", () => done("stopped"))));`,
  );
  const stop = new AbortController();
  const answer = runner.call({}, stop.signal);
  stop.abort();
  expect(await answer).toBe("stopped");
});

it("hands an error on", async () => {
  const { runner } = running(`${SERVE} serve(async () => { throw new Error("no such thing"); });`);
  await expect(runner.call({}, signal)).rejects.toThrow("no such thing");
});

it("[GA-13] starts anew after a process could not be started, and ends in peace", async () => {
  const clock = fakeClock();
  let tries = 0;
  const program = async () => {
    tries += 1;
    if (tries === 1) throw new Error("no memory");
    return { file: process.execPath, args: ["--input-type=module", "-e", `${SERVE} serve(async ({ n }) => n);`] };
  };
  const runner = createRunner({ program, clock });
  onTestFinished(() => runner.end());
  await expect(runner.call({ n: 1 }, signal)).rejects.toThrow("no memory");
  expect(await runner.call({ n: 2 }, signal)).toBe(2);
});

it("[GA-13] does not bring down the gateway, after a rest, because a process could not be started", async () => {
  const clock = fakeClock();
  const runner = createRunner({ program: () => Promise.reject(new Error("no memory")), clock });
  await expect(runner.call({}, signal)).rejects.toThrow("no memory");
  const stray: unknown[] = [];
  const note = (reason: unknown): void => void stray.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  clock.advance(60_000);
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
  expect(stray).toEqual([]);
  await runner.end();
});

it("[GA-13] does not keep a call waiting that was called off, when its process hangs", async () => {
  const { runner, clock } = running(
    `${SERVE} serve(({ n }) => (n === 1 ? new Promise(() => {}) : Promise.resolve(n)));`,
  );
  const stop = new AbortController();
  const hanging = runner.call({ n: 1 }, stop.signal);
  const ended = hanging.catch((error: unknown) => error);
  expect(await runner.call({ n: 2 }, signal)).toBe(2);
  stop.abort();
  clock.advance(5_000);
  expect(await ended).toBeInstanceOf(RunnerEnded);
  expect(await runner.call({ n: 3 }, signal)).toBe(3);
});
