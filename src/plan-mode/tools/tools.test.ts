import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, alice, inPhase, planSession } from "../../../test/kit/plan-session.ts";
import type { Step } from "../../core/step.ts";
import type { Session } from "../../protocol/session.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import { renderPlan } from "../render/render-plan.ts";
import { amendPlan } from "./amend-plan.ts";
import { askUserQuestion } from "./ask-user-question.ts";
import { enterPlanMode } from "./enter-plan-mode.ts";
import { exitPlanMode } from "./exit-plan-mode.ts";
import { PLAN_FILE_BYTES_MAX } from "./plan-file.ts";
import { planDigest } from "./plan-digest.ts";
import { planModeStatus } from "./plan-mode-status.ts";
import { updatePlan } from "./update-plan.ts";

let workspace = "";
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "plan-tools-"));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const ALL = [enterPlanMode, exitPlanMode, updatePlan, askUserQuestion, planModeStatus];

type ExitArgs = z.infer<typeof exitPlanMode.input>;
const step = { step: "Do it" };

async function submitCommand(args: ExitArgs) {
  const made = await exitPlanMode.toCommand(args, { callId: "c1", workspace, protectedFolders: [] });
  if ("error" in made) throw new Error(made.error);
  const command = PlanModeCommand.parse(made.command);
  if (command.type !== "submit") throw new Error(command.type);
  return command;
}
const submitError = async (args: ExitArgs): Promise<string> => {
  const made = await exitPlanMode.toCommand(args, { callId: "c1", workspace, protectedFolders: [] });
  return "error" in made ? made.error : "";
};
const reply = (result: Step) => result.reply;

describe("the catalog", () => {
  it("[PL-02, TO-08] offers the plan tools only where the feature is on, and never a resolver", () => {
    const session = planSession().session();
    for (const tool of ALL) {
      expect(tool.offered?.(session, { planMode: { enabled: true } })).toBe(true);
      expect(tool.offered?.(session, { planMode: { enabled: false } })).toBe(false);
      expect(tool.offered?.(session, { planMode: { enabled: "yes" } })).toBe(false);
      expect(tool.offered?.(session, {})).toBe(false);
      expect(tool.effect).toBe("state");
    }
    const names = planSession().host.tools.map((tool) => tool.name);
    expect(names.filter((name) => name !== amendPlan.name)).toEqual(ALL.map((tool) => tool.name));
    expect(amendPlan.offered?.(session, { planMode: { enabled: true } })).toBe(false); // only under a plan with a scope
    expect(ALL.map((tool) => tool.name)).not.toContain("plan_mode_resolve");
  });

  it("[PL-02] keeps them for a cycle that was begun before the feature was switched off, all but the one that begins another", () => {
    const off = { planMode: { enabled: false } };
    const offeredIn = (session: unknown, settings: Record<string, unknown> = off) =>
      ALL.filter((tool) => tool.offered?.(session as Session, settings)).map(({ name }) => name);
    for (const phase of ["exploring", "pending", "rejected", "timed_out", "executing"] as const) {
      const session = inPhase(phase).session();
      expect(offeredIn(session)).toEqual(["exit_plan_mode", "update_plan", "ask_user_question", "plan_mode_status"]);
      expect(offeredIn(session, {})).toEqual(offeredIn(session));
    }
    const left = inPhase("pending");
    left.must({ type: "leave" }, alice);
    expect(offeredIn(left.session())).toEqual([]);
    expect(offeredIn({ slices: { planMode: { now: "who knows" } } })).toEqual([]);
  });

  it("[TO-07] each plan tool points to the one that tells the state", () => {
    const others = ALL.filter(({ name }) => name !== "plan_mode_status");
    expect(others).toHaveLength(4);
    for (const { description } of others) expect(description).toContain("call plan_mode_status");
  });

  it("[TO-01, TO-02, TO-03, TO-06, TO-07] rejects unknown properties in every input", () => {
    for (const tool of ALL) {
      const schema: z.ZodType = tool.input;
      expect(schema.safeParse({ surprise: 1 }).success).toBe(false);
      expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({ type: "object", additionalProperties: false });
    }
    expect(exitPlanMode.input.safeParse({ plan: [step] }).success).toBe(false);
    const odd = { title: "t", plan: [{ ...step, approved: true }] };
    expect(exitPlanMode.input.safeParse(odd).success).toBe(false);
    expect(exitPlanMode.input.safeParse({ title: "t", plan: [{ ...step, status: "done" }] }).success).toBe(false);
  });
});

describe("enter_plan_mode", () => {
  it("[TO-01] answers with exactly these fields", async () => {
    const made = await enterPlanMode.toCommand(
      { reason: "look first" },
      { callId: "c", workspace, protectedFolders: [] },
    );
    if ("error" in made) throw new Error(made.error);
    expect(reply(planSession().must(PlanModeCommand.parse(made.command), agent))).toEqual({
      entered_plan_mode: true,
      already_in_plan_mode: false,
      entered_at: "2023-11-14T22:13:20Z",
      reason: "look first",
      instructions: expect.any(String),
    });
    expect(await enterPlanMode.toCommand({}, { callId: "c", workspace, protectedFolders: [] })).toEqual({
      command: { type: "enter", reason: "" },
    });
  });
});

describe("exit_plan_mode", () => {
  it("[TO-02, BY-01] drops blank entries, hashes exactly the body, and answers with these fields", async () => {
    const command = await submitCommand({
      title: " Tidy up ",
      plan: [{ step: " Do it " }, { step: " \u200b" }],
      summary: " ",
      assumptions: ["one", " "],
      risks: [{ risk: "", mitigation: " " }],
    });
    expect(command.body).toEqual({
      title: "Tidy up",
      plan: [{ step: "Do it", status: "pending" }],
      assumptions: ["one"],
    });
    expect(command.digest).toBe(planDigest(command.body));
    expect(command.digest).toMatch(/^[0-9a-f]{64}$/);
    const text = renderPlan(command.body, { format: "plain" });
    expect(reply(inPhase("exploring").must(command, agent))).toEqual({
      exited_plan_mode: false,
      unlocked_at: null,
      plan_id: expect.stringMatching(/^pln_/),
      approval_required: true,
      plan_bytes: Buffer.byteLength(text),
      plan_chars: text.length,
      entered_at: "2023-11-14T22:13:20Z",
      revision: 1,
      digest: command.digest,
      deadline_at: "2023-11-15T22:13:20Z",
      instructions: expect.stringContaining("Stop here"),
    });
  });

  it("[TO-02, PL-16] measures the text that was given, in bytes and in characters, and says when a rule unlocked it", async () => {
    const final_plan = "- Überall grüßen 👋\n- Fertig";
    const command = await submitCommand({ title: "t", final_plan });
    const session = inPhase("exploring", { settings: { requireApproval: false } }).attend();
    expect(reply(session.must(command, agent))).toMatchObject({
      exited_plan_mode: true,
      unlocked_at: "2023-11-14T22:13:20Z",
      plan_bytes: Buffer.byteLength(final_plan),
      plan_chars: Array.from(final_plan).length,
      approval_required: false,
    });
    expect(reply(session.must({ type: "status" }, agent))).toMatchObject({ unlocked_at: "2023-11-14T22:13:20Z" });
  });

  it("[BY-01] the digest depends on every byte and not on the order of keys", () => {
    const plan = [{ step: "a", status: "pending" as const }];
    expect(planDigest({ title: "t", plan })).toBe(planDigest({ plan, title: "t" }));
    expect(planDigest({ title: "t", plan })).not.toBe(planDigest({ title: "t ", plan }));
  });

  it("[TO-02] a title has no fallback, and exactly one way to give the steps counts", async () => {
    expect(await submitError({ title: " ", plan: [step] })).toMatch(/^title: required: .* Example: exit_plan_mode /);
    const missing = exitPlanMode.input.safeParse({ plan: [step] });
    expect(missing.error?.issues[0]).toMatchObject({
      path: ["title"],
      message: expect.stringMatching(/exit_plan_mode again /),
    });
    expect(z.toJSONSchema(exitPlanMode.input, { io: "input" }).required).toEqual(["title"]);
    expect(await submitError({ title: "t" })).toMatch(/exactly one of plan, final_plan and plan_path/);
    expect(await submitError({ title: "t", plan: [step], final_plan: "x" })).toMatch(/exactly one/);
    expect(await submitError({ title: "t", plan: [{ step: " " }] })).toMatch(/no steps/);
    expect(await submitError({ title: "t".repeat(201), plan: [step] })).toMatch(/^title: /);
    expect(await submitError({ title: "t", plan: [step], risks: [{ risk: "r", mitigation: "" }] })).toMatch(
      /^risks\.0\.mitigation: /,
    );
  });

  it("[TO-02] parses a plain-text plan into steps, criteria and the text around them", async () => {
    const final_plan = [
      "First some words.",
      "",
      "1. Rename the file",
      "   - imports resolve",
      "   - tests pass",
      "2) Tell the team",
      "- [ ] Clean up",
      "",
      "And a last remark.",
    ].join("\r\n");
    const { body } = await submitCommand({ title: "t", final_plan });
    expect(body).toEqual({
      title: "t",
      plan: [
        { step: "Rename the file", status: "pending", acceptanceCriteria: ["imports resolve", "tests pass"] },
        { step: "Tell the team", status: "pending" },
        { step: "Clean up", status: "pending" },
      ],
      summary: "First some words.",
      analysis: "And a last remark.",
    });
    const lines = await submitCommand({ title: "t", final_plan: "Do this\n\nthen that" });
    expect(lines.body.plan.map((item) => item.step)).toEqual(["Do this", "then that"]);
  });

  it("[TO-02, BY-04] a ticked box in a plain-text plan is a finished step, which no proposal may hold", async () => {
    const command = await submitCommand({ title: "t", final_plan: "- [x] done already\n- [ ] to do" });
    expect(inPhase("exploring").outcome(command, agent)).toBe("PLAN_INVALID");
  });

  it("[TO-02] a plain-text plan is counted in bytes and limited to 8 KiB", async () => {
    expect(await submitError({ title: "t", final_plan: `- ${"ä".repeat(4_095)}` })).toMatch(/STEP|plan\.0\.step|8192/);
    expect(await submitError({ title: "t", final_plan: "ä".repeat(4_097) })).toMatch(/^final_plan may hold 8192 bytes/);
    expect(await submitError({ title: "t", final_plan: " \n " })).toMatch(/no steps/);
  });
});

describe("plan_path", () => {
  it("[GW-04, I05] reads nothing of the gateway's own folder: a plan must not carry the operator's token to the agent", async () => {
    await mkdir(join(workspace, ".holdpoint"), { recursive: true });
    await writeFile(join(workspace, ".holdpoint", "operator.token"), "hp_secret\n");
    await symlink(".holdpoint", join(workspace, "state-link"));
    const submit = (plan_path: string, state: string) =>
      exitPlanMode.toCommand(
        { title: "t", plan_path },
        { callId: "c", workspace, protectedFolders: [join(workspace, "not-there"), join(workspace, state)] },
      );
    for (const state of [".holdpoint", "state-link"]) {
      for (const path of [".holdpoint/operator.token", "./.holdpoint//operator.token"]) {
        expect(await submit(path, state)).toEqual({ error: "plan_path: the path belongs to the gateway." });
      }
    }
  });

  const at = (path: string): string => join(workspace, path);

  it("[TO-02] reads text and JSON from inside the workspace", async () => {
    await mkdir(at("plans"), { recursive: true });
    await writeFile(at("plans/p.md"), "- one\n- two\n");
    await writeFile(at("plans/p.json"), JSON.stringify({ title: "ignored", plan: [{ step: "one" }], summary: "s" }));
    await writeFile(at("plans/list.json"), JSON.stringify([{ step: "one", status: "in_progress" }]));
    expect(
      (await submitCommand({ title: "t", plan_path: "plans/p.md" })).body.plan.map(({ step: text }) => text),
    ).toEqual(["one", "two"]);
    expect((await submitCommand({ title: "t", plan_path: "./plans/p.json" })).body).toEqual({
      title: "t",
      plan: [{ step: "one", status: "pending" }],
      summary: "s",
    });
    expect((await submitCommand({ title: "t", plan_path: "plans/list.json" })).body.plan[0]?.status).toBe(
      "in_progress",
    );
  });

  it.each([
    "../x",
    "a/b/../../../x",
    "/etc/passwd",
    "//etc/passwd",
    "/",
    "~root/x",
    "/dev/fd/0",
    "a\0.txt",
    "",
    " ",
    "a\\..\\..\\x",
    ".",
  ])("[TO-02] refuses the path %j", async (path) => {
    expect(await submitError({ title: "t", plan_path: path })).toMatch(/^plan_path: /);
  });

  it("[TO-02] refuses links, in the last place and on the way, folders and missing files", async () => {
    await mkdir(at("real"), { recursive: true });
    await writeFile(at("real/p.md"), "- one");
    await symlink(at("real/p.md"), at("link.md"));
    await symlink(at("real"), at("linked"));
    await symlink("/etc", at("etc"));
    for (const path of ["link.md", "linked/p.md", "etc/passwd"]) {
      expect(await submitError({ title: "t", plan_path: path })).toBe(
        "plan_path: the path leads through a link. Name the file itself.",
      );
    }
    expect(await submitError({ title: "t", plan_path: "real" })).toBe("plan_path: that is not a file.");
    expect(await submitError({ title: "t", plan_path: "gone.md" })).toBe(
      "plan_path: there is no such file in the workspace.",
    );
  });

  it("[TO-02] knows the size before it reads, and reads text only", async () => {
    await writeFile(at("big.md"), "x".repeat(PLAN_FILE_BYTES_MAX + 1));
    expect(await submitError({ title: "t", plan_path: "big.md" })).toMatch(/at most 1048576 are read/);
    await writeFile(at("binary.md"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(await submitError({ title: "t", plan_path: "binary.md" })).toBe("plan_path: the file is not UTF-8 text.");
    await writeFile(at("broken.json"), "{");
    expect(await submitError({ title: "t", plan_path: "broken.json" })).toMatch(
      /^plan_path: the file is not valid JSON/,
    );
    await writeFile(at("odd.json"), JSON.stringify({ plan: [{ step: "a" }], __proto: 1 }));
    expect(await submitError({ title: "t", plan_path: "odd.json" })).toMatch(/^plan_path: /);
  });
});

describe("update_plan and ask_user_question", () => {
  it("[TO-03] drops blank entries and says what to correct", async () => {
    const made = await updatePlan.toCommand(
      {
        plan: [
          { step: "a", status: "completed", acceptanceCriteria: [], verifiedCriteria: ["x", " "], activeForm: " " },
          { step: " ", status: "pending" },
        ],
        merge: true,
      },
      { callId: "c", workspace, protectedFolders: [] },
    );
    expect(made).toEqual({
      command: {
        type: "update",
        patch: {
          plan: [{ step: "a", status: "completed", acceptanceCriteria: [], verifiedCriteria: ["x"] }],
          merge: true,
        },
      },
    });
    expect(await updatePlan.toCommand({ plan: [] }, { callId: "c", workspace, protectedFolders: [] })).toEqual({
      error: expect.stringMatching(/^plan holds no steps\. Give at least one {step, status}\. Example: update_plan {/),
    });
    const long = { plan: [{ step: "x".repeat(2_001), status: "pending" as const }] };
    expect(await updatePlan.toCommand(long, { callId: "c", workspace, protectedFolders: [] })).toEqual({
      error: expect.stringMatching(/^plan\.0\.step: /),
    });
  });

  it("[TO-06] passes the tool call's id on, and its result is never empty", async () => {
    const made = await askUserQuestion.toCommand(
      { question: "Which?", options: ["A", { label: "B" }], allowFreetext: true },
      { callId: "call_9", workspace, protectedFolders: [] },
    );
    if ("error" in made) throw new Error(made.error);
    expect(made.command).toEqual({
      type: "ask",
      callId: "call_9",
      question: "Which?",
      options: ["A", { label: "B" }],
      allowFreetext: true,
    });
    expect(reply(inPhase("exploring").must(PlanModeCommand.parse(made.command), agent))).toMatchObject({
      question: "Which?",
      allow_freetext: true,
      instructions: expect.stringContaining("Stop here"),
    });
  });
});

describe("what a step declares", () => {
  const scoped = (paths: string[], place: { protectedFolders?: string[] } = {}) =>
    exitPlanMode.toCommand(
      { title: "T", plan: [{ step: "Do it", scope: { paths } }] },
      { callId: "c1", workspace, protectedFolders: [], ...place },
    );

  it("[BY-02] names no link and nothing of the gateway's own, however it is written", async () => {
    await mkdir(join(workspace, "home/deep"), { recursive: true });
    await symlink(join(workspace, "home"), join(workspace, "led"));
    const own = { protectedFolders: [join(workspace, "home/deep")] };
    const tried: [string, string][] = [
      ["led/x", "led is a link"],
      ["led/", "led is a link"],
      ["home/deep/x", "the gateway's own"],
      ["home/", "the gateway's own"],
      ["home/d*p", "the gateway's own"],
      ["hom?", "the gateway's own"],
    ];
    for (const [path, why] of tried) {
      expect(await scoped([path], own)).toEqual({ error: expect.stringContaining(why) });
    }
    for (const path of ["home/other", "home/*.md", "src/new.ts"]) {
      expect(await scoped([path], own)).toHaveProperty("command");
    }
  });

  it("[BY-02, BY-04] keeps others by id where the agent counts, and proofs apart from their criteria", async () => {
    const proof = { by: "command" as const, command: "npm test", exitCode: 0 };
    const { body } = await submitCommand({
      title: "T",
      plan: [
        { step: "A", acceptanceCriteria: ["looks good", { criterion: " tests pass ", proof }] },
        { step: "B", dependsOn: [1], checkpoint: true },
        { step: "C", id: "last", dependsOn: [1, 2] },
      ],
    });
    expect(body.plan).toEqual([
      {
        step: "A",
        status: "pending",
        id: "s1",
        acceptanceCriteria: ["looks good", "tests pass"],
        proof: [{ ...proof, criterion: "tests pass" }],
      },
      { step: "B", status: "pending", id: "s2", dependsOn: ["s1"], checkpoint: true },
      { step: "C", status: "pending", id: "last", dependsOn: ["s1", "s2"] },
    ]);
  });

  it("[BY-02] is asked for by amend_plan before a command needs it; nothing of that runs", async () => {
    const ask = (paths: string[]) =>
      amendPlan.toCommand(
        { scope: { paths }, reason: "The build writes there." },
        { callId: "c", workspace, protectedFolders: [] },
      );
    expect(await ask(["../x"])).toEqual({ error: expect.stringContaining("leads out") });
    const made = await ask(["dist/"]);
    if ("error" in made) throw new Error(made.error);
    expect(PlanModeCommand.parse(made.command)).toMatchObject({
      type: "ask-call",
      call: { gate: "scope", tool: "amend_plan" },
      shown: "paths: dist/\nreason: The build writes there.",
      amend: { paths: ["dist/"] },
    });
  });

  it("[BY-02, I10] shows whoever signs an amendment every character of its reason, on one line below the scope", async () => {
    const reason = "fine\npaths: nothing\u2028\u202Eyldrah\u001B[2K\u200B";
    const made = await amendPlan.toCommand(
      { scope: { paths: ["dist/"] }, reason },
      { callId: "c", workspace, protectedFolders: [] },
    );
    if ("error" in made) throw new Error(made.error);
    const { shown } = z.object({ shown: z.string() }).parse(made.command);
    expect(shown.split("\n")).toHaveLength(2);
    expect(shown).not.toMatch(/[\p{Cf}\u2028]|(?!\n)\p{Cc}/u);
    expect(shown).toContain("fine paths: nothing");
  });
});
