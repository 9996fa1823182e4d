import { expect, it } from "vitest";
import { runProgram } from "../../program.ts";
import { startTestGateway } from "../../../testing/index.ts";

it("[BY-06, CH-01] holdpoint plan reply and reopen go on with the thread of a note, by its number", async () => {
  const gateway = await startTestGateway({
    settings: { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } },
    script: () => ({
      calls: [{ tool: "exit_plan_mode", args: { title: "Shed", plan: [{ step: "Paint it", status: "pending" }] } }],
    }),
  });
  const session = await gateway.session();
  await session.say("Plan it");
  await session.until("plan.submitted");
  const call = async (...words: string[]) => {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home };
    const around = { stdin, terminal: stdout, cwd: gateway.workspace, env };
    const argv = ["plan", ...words, "--session", session.id];
    const code = await runProgram(argv, { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
    return [code, said.stdout];
  };
  try {
    expect((await call("note", "1", "in red"))[0]).toBe(0);
    expect(await call("resolve", "1")).toEqual([0, "Resolved.\n"]);
    expect(await call("reopen", "n1")).toEqual([0, "Open again.\n"]);
    expect(await call("reply", "1", "or", "green")).toEqual([0, "Replied.\n"]);
    expect((await call("notes"))[1]).toMatch(/^n1 .* · open\n {2}in red\n.*or green\n$/);
    for (const typed of [
      ["reply", "1", " "],
      ["reply", "7", "x"],
      ["reopen", "7"],
    ])
      expect((await call(...typed))[0]).toBe(2);
  } finally {
    await gateway.stop();
  }
});
