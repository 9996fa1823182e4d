/** An agent that is told to cheat, against the whole gateway: each attempt is refused, with a reason that it can act on. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { probedSandbox } from "../../src/runner/sandbox.ts";
import { gatedGateway } from "../kit/gated-gateway.ts";
import { wireClient } from "../kit/wire-client.ts";

const UNTOUCHED = ["keep.txt"];

describe("in plan mode", () => {
  it("[GA-02, GA-05, GA-07, GA-12, I01] shell tricks change nothing, and nothing is even claimed", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    const tricks: [string, string][] = [
      ["rm keep.txt", "known-write"],
      ['find . "-delete"', "harmful-option"],
      ["echo $(rm keep.txt)", "known-write"],
      ["ls; touch made", "known-write"],
      ["cat keep.txt > made", "redirect-write"],
      ["bash -c 'touch made'", "runs-programs"],
      ["ls | xargs rm", "known-write"],
      ["$(echo rm) keep.txt", "dynamic-command"],
      ["PATH=. ls", "environment"],
      ["./keep.txt", "unknown-command"],
    ];
    for (const [command, rule] of tricks) {
      const { status, content } = await gateway.exec(command);
      expect({ command, status, content }).toMatchObject({
        command,
        status: "refused",
        content: { rule, tool_kind: "bash" },
      });
    }
    expect(gateway.files()).toEqual(UNTOUCHED);
    expect(gateway.seen).not.toContain("call.claimed");
  });

  it("[GA-05, GA-06, GA-09] reads as it likes", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    for (const command of ["ls -la", "cat keep.txt | head -1", "grep -rn keep .", "git status 2>&1 || true"]) {
      expect({ command, ...(await gateway.exec(command)) }).toMatchObject({ command, status: "ok" });
    }
    expect(gateway.seen).not.toContain("call.claimed");
  });

  it("[GA-03, TO-08, I01] file tools, background programs, unknown tools and the resolver are closed", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    const patch = "*** Begin Patch\n*** Delete File: keep.txt\n*** End Patch";
    expect((await gateway.call("write", { path: "made", content: "x" })).status).toBe("refused");
    expect((await gateway.call("edit", { path: "keep.txt", oldText: "keep", newText: "x" })).status).toBe("refused");
    expect((await gateway.call("apply_patch", { patch })).status).toBe("refused");
    expect((await gateway.exec("sleep 9", { background: true })).content).toMatchObject({ rule: "background" });
    expect((await gateway.call("process", { action: "kill", id: "prc_1" })).status).toBe("refused");
    expect((await gateway.call("launch_rockets", {})).status).toBe("error");
    expect((await gateway.call("plan_mode_resolve", { plan_id: "pln_x", decision: "approve" })).status).toBe("error");
    expect(gateway.files()).toEqual(UNTOUCHED);
  });

  it("[GW-04, I06] the operator's token is out of reach, and nobody decides without one", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    const token = join(gateway.home, "operator.token");
    expect((await gateway.call("read", { path: token })).status).toBe("error");
    const commands = [`cat ${token}`];
    if ((await probedSandbox().kind()) !== "none") commands.push("cat ../home/oper*", `grep -r hp_ ${gateway.root}`);
    for (const command of commands) {
      expect(JSON.stringify(await gateway.exec(command))).not.toMatch(/hp_[\w-]{20}|\[redacted\]/);
    }
    await expect(wireClient({ url: gateway.url, token: "made-up" })).rejects.toThrow(/./);
  });

  it("[GA-01] an approval counts at the next call, and leaving plan mode too", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    expect((await gateway.exec("touch made")).status).toBe("refused");
    await gateway.plan("normal");
    expect((await gateway.exec("touch made")).status).toBe("ok");
    expect(gateway.files()).toEqual(["keep.txt", "made"]);
  });

  it("[RT-07] the same call again and again ends the turn", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    const again = { tool: "exec", args: { command: "rm keep.txt" } };
    const repeat = gateway.model.stream.bind(gateway.model);
    gateway.model.stream = (request) => (gateway.model.order(again), repeat(request));
    await gateway.turn(() => gateway.person.must("chat.send", { sessionId: gateway.sessionId, text: "go" }));
    const results = (await gateway.entries()).filter((entry) => entry.kind === "result");
    expect(results.map(({ content }) => (content as { rule: string }).rule)).toEqual([
      ...Array<string>(4).fill("known-write"),
      ...Array<string>(4).fill("loop/repeated-call"),
    ]);
    expect(gateway.files()).toEqual(UNTOUCHED);
  });
});

describe("a person may let one call pass", () => {
  const asking = { unknownCommands: "ask" };

  it("[GA-10, QU-01, I10] exactly that one, once, in the form that they were shown", async () => {
    const gateway = await gatedGateway(asking);
    await gateway.plan("plan");
    const refused = await gateway.exec("./tool.sh   'a'");
    expect(refused).toMatchObject({ status: "refused", content: { rule: "unknown-command" } });
    const { question } = await gateway.state();
    expect(question?.question).toContain("./tool.sh a");
    const allowed = await gateway.answer("Allow once", { tool: "exec", args: { command: "./tool.sh a" } });
    expect(allowed).toMatchObject({ status: "error", content: { exitCode: 127 } }); // it ran: there is no such file
    expect(gateway.seen).toContain("grant.spent");
    expect((await gateway.exec("./tool.sh a")).status).toBe("refused");
  });

  it("[GA-10] not another one", async () => {
    const gateway = await gatedGateway(asking);
    await gateway.plan("plan");
    await gateway.exec("./tool.sh a");
    const other = await gateway.answer("Allow once", { tool: "exec", args: { command: "./tool.sh b" } });
    expect(other.status).toBe("refused");
    expect(gateway.seen).not.toContain("call.claimed");
  });

  it("[GA-10, BY-07] and a no is a no", async () => {
    const gateway = await gatedGateway(asking);
    await gateway.plan("plan");
    await gateway.exec("./tool.sh a");
    expect((await gateway.answer("Deny", { tool: "exec", args: { command: "./tool.sh a" } })).status).toBe("refused");
  });
});

describe("while an approved plan is carried out", () => {
  it("[AE-01, AE-02, AE-05, PL-06] with edits: files yes, removal only by a person's word, once", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.decide("edit");
    expect((await gateway.state()).now).toMatchObject({ mode: "executing", approval: "edited" });
    expect((await gateway.call("write", { path: "made", content: "x" })).status).toBe("ok");
    const rm = { tool: "exec", args: { command: "rm made" } };
    expect(await gateway.call(rm.tool, rm.args)).toMatchObject({ status: "refused", content: { rule: "removes" } });
    expect(gateway.files()).toEqual(["keep.txt", "made"]);
    expect((await gateway.answer("allow-once", rm)).status).toBe("ok");
    expect(gateway.files()).toEqual(["keep.txt"]);
    await gateway.call("write", { path: "made", content: "x" });
    expect((await gateway.call(rm.tool, rm.args)).status).toBe("refused");
  });

  it("[AE-02, AE-04] with edits: an agent's configuration stays as it is", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.decide("edit");
    const settings = { path: ".claude/settings.json", content: "{}" };
    expect(await gateway.call("write", settings)).toMatchObject({ content: { rule: "protected-path" } });
    expect(gateway.files()).toEqual(UNTOUCHED);
  });

  it("[PL-06] by a plain approval: what the plan says, removal too", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.decide("approve");
    expect((await gateway.exec("rm keep.txt")).status).toBe("ok");
    expect(gateway.files()).toEqual([]);
  });

  it("[GW-04, GW-03] a program that calls the gateway itself gets nothing without a credential, and finds none", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.decide("approve");
    const script = `
      const url = ${JSON.stringify(gateway.url)};
      const own = { origin: url, "sec-fetch-site": "same-origin", "content-type": "application/json" };
      const post = async (path, body) => (await fetch(url + path, { method: "POST", headers: own, body: JSON.stringify(body) })).status;
      const answers = [];
      for (const path of ["/metrics", "/share/guess", "/operator.token", "/cache/page"]) answers.push((await fetch(url + path)).status);
      answers.push(await post("/auth/exchange", { code: "guess" }), await post("/auth/tab", { browserSecret: "guess" }));
      const socket = new WebSocket(url.replace("http", "ws") + "/ws");
      socket.onopen = () => socket.send(JSON.stringify({ type: "req", id: "1", method: "tokens.link", params: {} }));
      socket.onmessage = ({ data }) => { answers.push(JSON.parse(data).error.code); console.log(JSON.stringify(answers)); process.exit(0); };
    `;
    await gateway.call("write", { path: "call.mjs", content: script });
    const { content } = await gateway.exec(`${process.execPath} call.mjs && touch made`);
    expect((content as { output: string }).output.trim()).toBe(
      JSON.stringify([401, 404, 404, 404, 401, 401, "HANDSHAKE_REQUIRED"]),
    );
    expect(await gateway.call("web_fetch", { url: gateway.url })).toMatchObject({
      status: "error",
      content: expect.stringMatching(/^Not fetched/),
    });
    const environment = await gateway.exec("env; cat /proc/self/environ | tr '\\0' '\\n'; touch made");
    expect(JSON.stringify(environment.content)).not.toMatch(/hp_[\w-]{20}|\[redacted\]|HOLDPOINT_TOKEN=/);
  });

  it("[GW-04] the gateway's own folder stays out of sight where the system can hide it", async () => {
    const gateway = await gatedGateway();
    if ((await probedSandbox().kind()) === "none") return;
    const leaky = `touch made; cat ${gateway.home}/operator.token /proc/${process.pid}/environ`;
    const { content } = await gateway.exec(leaky);
    expect(JSON.stringify(content)).not.toMatch(/hp_[\w-]{20}|\[redacted\]/);
    expect(content).toMatchObject({ output: expect.stringContaining("No such file") });
  });
});

describe("in normal mode", () => {
  it("[PL-15] a destructive attempt is refused and the session plans first", async () => {
    const gateway = await gatedGateway({ autoEnterOnDestructive: true });
    expect((await gateway.exec("touch made")).status).toBe("ok");
    expect(await gateway.exec("rm -rf made")).toMatchObject({ status: "refused", content: { rule: "removes" } });
    expect((await gateway.state()).now).toMatchObject({ mode: "plan", cycle: { reason: "auto-destructive: removes" } });
    expect((await gateway.exec("touch more")).status).toBe("refused");
    expect(gateway.files()).toEqual(["keep.txt", "made"]);
  });
});
