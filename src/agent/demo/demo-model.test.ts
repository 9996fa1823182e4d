import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, turnWorld, type TurnWorld } from "../../../test/kit/turn-world.ts";
import type { TrustedToolPolicy } from "../../plugins/policy.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import type { Model } from "../model.ts";
import { createDemoModel } from "./demo-model.ts";

const ON = { planMode: PlanModeSettings.parse({ enabled: true, defaultActive: true }) };

function demoWorld(settings: Record<string, unknown> = ON, policies: TrustedToolPolicy[] = []): TurnWorld {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, "README.md"), "# Kettle\n\nBoils water.\n");
  writeFileSync(join(workspace, "package.json"), '{ "name": "kettle" }\n');
  return turnWorld({
    model: createDemoModel(),
    plugins: [planModePlugin],
    settings,
    workspace,
    policies,
    shared: true,
  });
}

const slice = (world: TurnWorld, command: JsonObject) =>
  world.must({ type: "slice.apply", slice: "planMode", command });
const state = async (world: TurnWorld) => PlanModeState.parse((await world.session()).slices["planMode"]);

async function answer(world: TurnWorld, text: string): Promise<void> {
  const { question } = await state(world);
  await slice(world, {
    type: "decide",
    approval: { action: "answer", approvalId: question?.approvalId ?? "", answer: text },
  });
  await world.settle();
}

async function decide(world: TurnWorld, approval: JsonObject): Promise<void> {
  const { now } = await state(world);
  const approvalId = now.phase === "pending" ? now.submission.approvalId : "";
  await slice(world, { type: "decide", approval: { ...approval, approvalId } });
  await world.settle();
}

async function lastWords(world: TurnWorld): Promise<string> {
  const said = (await world.entries()).findLast((entry) => entry.kind === "assistant");
  return said?.kind === "assistant" ? said.text : "";
}

const readme = (world: TurnWorld): string => readFileSync(join(world.workspace, "README.md"), "utf8");

describe("demo agent", () => {
  it("[RT-02] takes a wish through question, plan, rejection, revision, approval, a changed file and completion", async () => {
    const world = demoWorld();
    await world.open();
    await world.send("Describe how the kettle is descaled");
    await world.settle();
    expect((await state(world)).question?.options.map((option) => option.label)).toEqual([
      "HOLDPOINT_DEMO.md",
      "README.md",
      "docs/holdpoint-demo.md",
    ]);
    expect(world.deltas.slice(0, 3).join("")).toBe("[scripted demo] I ");
    expect(readme(world)).toBe("# Kettle\n\nBoils water.\n");

    await answer(world, "README.md");
    expect((await state(world)).now.phase).toBe("pending");
    await decide(world, { action: "reject", feedback: "Mention vinegar, please" });
    const revised = (await state(world)).now;
    expect(revised.phase === "pending" && revised.submission.steps.map((step) => step.step)).toEqual([
      'Add the section "Describe how the kettle is descaled" to README.md',
      'Answer the review: "Mention vinegar, please"',
      "Read README.md back and compare it with this plan",
    ]);
    expect(await lastWords(world)).toContain('I have taken your feedback into the plan: "Mention vinegar, please"');
    expect(readme(world)).toBe("# Kettle\n\nBoils water.\n");

    await decide(world, { action: "approve" });
    expect((await state(world)).now).toMatchObject({ phase: "off", left: "completed" });
    expect(readme(world)).toBe(
      [
        "# Kettle",
        "",
        "Boils water.",
        "",
        "## Describe how the kettle is descaled",
        "",
        "Asked for: Describe how the kettle is descaled",
        "",
        "Found before planning:",
        "",
        "- The top folder holds 2 files, among them README.md, package.json.",
        '- README.md begins with "# Kettle".',
        '- package.json begins with "{ "name": "kettle" }".',
        '- "Describe" does not occur in the workspace yet.',
        "",
        "From the review:",
        "",
        "- Mention vinegar, please",
        "",
        "Written by Holdpoint's scripted demo agent after a person approved this text.",
        "",
      ].join("\n"),
    );
    expect(await lastWords(world)).toBe(
      'Done with "Note in README.md: Describe how the kettle is descaled": 3 of 3 steps completed. The section stands in README.md, word for word as approved.',
    );
    expect(world.reports).toEqual([]);
  });

  it("[RT-03] goes on from the transcript alone when it is cut off at every single answer", async () => {
    const before = await untilApproved("own-file");
    for (let restarts = 0; (await state(before)).now.phase === "executing"; restarts++) {
      expect(restarts).toBeLessThan(30);
      await answersBeforeCrash(before, `node-${restarts}`);
    }
    const text = readFileSync(join(before.workspace, "HOLDPOINT_DEMO.md"), "utf8");
    expect(text.match(/^## Describe the spout$/gm)).toHaveLength(1);
  });

  it("[RT-03] looks before it repeats a change of which nobody knows whether it happened", async () => {
    const world = await untilApproved("own-file");
    const { turn } = await world.session();
    if (turn.status !== "requested") throw new Error("no turn");
    const { turnId } = turn;
    await world.must({ type: "turn.start", turnId, node: "dead", leaseUntilMs: 1, sole: true });
    const { epoch } = await world.session();
    const args = { path: "HOLDPOINT_DEMO.md", content: "half" };
    const call = { callId: "lost", tool: "write", args };
    await world.must({ type: "turn.say", turnId, epoch, text: "", calls: [call] });
    await world.must({ type: "call.claim", turnId, epoch, callId: "lost", kind: "file_edit", argsDigest: "d" });
    writeFileSync(join(world.workspace, args.path), args.content); // it had taken effect, and the gateway died

    expect(await world.settle()).toEqual(["done"]);
    const texts = (await world.entries()).flatMap((entry) => (entry.kind === "assistant" ? [entry.text] : []));
    expect(texts).toContain("Whether my last change took effect is unknown, so I look before I repeat it.");
    expect(readFileSync(join(world.workspace, args.path), "utf8")).toMatch(/^half\n\n## Describe the spout\n/);
    expect((await state(world)).now).toMatchObject({ phase: "off", left: "completed" });
  });

  it("[GA-01] says why and leaves everything when plan mode is entered again while it works", async () => {
    const block: TrustedToolPolicy = {
      id: "enter-again",
      description: "",
      async evaluate({ call }) {
        if (call.tool === "write") await slice(world, { type: "leave" });
        if (call.tool === "write") await slice(world, { type: "enter", reason: "wait" });
        return { verdict: "allow" };
      },
    };
    const world: TurnWorld = await untilApproved("own-file", [block]);
    await world.settle();
    const texts = (await world.entries()).flatMap((entry) => (entry.kind === "assistant" ? [entry.text] : []));
    expect(texts.at(-2)).toMatch(/^Refused: write was not run: the session is in plan mode/);
    expect(texts.at(-1)).toMatch(/^So I change nothing\./);
    expect(existsSync(join(world.workspace, "HOLDPOINT_DEMO.md"))).toBe(false);
  });

  it("[GA-01] says why a change was refused before the approval, and plans the next wish", async () => {
    const demo = createDemoModel();
    const hasty: Model = {
      ...demo,
      async *stream(request) {
        if (request.entries.length > 1) return yield* demo.stream(request);
        yield { type: "call", call: { callId: "hasty", tool: "write", args: { path: "a.md", content: "now" } } };
        yield { type: "end", reason: "calls" };
      },
    };
    const world = turnWorld({ model: hasty, plugins: [planModePlugin], settings: ON });
    await world.open();
    await world.send("Write now");
    await world.settle();
    const texts = (await world.entries()).flatMap((entry) => (entry.kind === "assistant" ? [entry.text] : []));
    expect(texts.slice(1)).toEqual([
      expect.stringMatching(/^Refused: write was not run: the session is in plan mode.* I look up where we stand\.$/),
      "So I change nothing. Tell me what you would like noted down, and I look around and show you a plan first.",
    ]);
    expect(existsSync(join(world.workspace, "a.md"))).toBe(false);
    await world.send("Describe the spout");
    await world.settle();
    expect((await state(world)).question?.question).toContain("Describe the spout");
  });

  it("cancels honestly what it cannot carry out", async () => {
    const refusal = {
      tool_name: "write",
      tool_kind: "file_edit",
      hint: "",
      entered_at: null,
      entered_reason: null,
      rule: "r",
      matched: "m",
      message: "Not on Sundays.",
    } as const;
    const sunday: TrustedToolPolicy = {
      id: "sunday",
      description: "",
      evaluate: ({ call }) => (call.effect === "write" ? { verdict: "block", refusal } : { verdict: "allow" }),
    };
    const world = await untilApproved("own-file", [sunday]);
    await world.settle();
    expect((await state(world)).now).toMatchObject({
      phase: "off",
      steps: [{ status: "cancelled" }, { status: "cancelled" }],
    });
    expect(await lastWords(world)).toBe(
      'Done with "Note in HOLDPOINT_DEMO.md: Describe the spout": 0 of 2 steps completed, 2 cancelled.',
    );
  });

  it("[PL-07] asks instead of guessing after the third rejection", async () => {
    const world = await untilPlanned("docs");
    for (const feedback of ["shorter", "longer", "with a picture"]) await decide(world, { action: "reject", feedback });
    expect((await state(world)).question?.question).toBe(
      "You sent 3 plans back. Which of your remarks shall the next one follow?",
    );
    await answer(world, "Only the last one");
    const { now } = await state(world);
    expect(now.phase === "pending" && now.submission.steps.map((step) => step.step)).toEqual([
      'Add the section "Describe the spout" to docs/holdpoint-demo.md',
      'Answer the review: "with a picture"',
      "Read docs/holdpoint-demo.md back and compare it with this plan",
    ]);
  });

  it.each([
    ["please put it into notes/spout.md, thanks", "notes/spout.md"],
    ["lieber in 日本語/メモ.md 🎉", "日本語/メモ.md"],
    ["wherever you like", "HOLDPOINT_DEMO.md"],
    ["../../etc/x.md", "HOLDPOINT_DEMO.md"],
  ])("takes the answer %j for %s", async (words, target) => {
    const world = await untilPlanned(words);
    const { now } = await state(world);
    expect(now.phase === "pending" && now.submission.title).toBe(`Note in ${target}: Describe the spout`);
  });

  it("moves the note to the file that the feedback names, and takes a typed yes for nothing", async () => {
    const world = await untilPlanned("own-file");
    await world.send("yes");
    await world.settle();
    await decide(world, { action: "reject", feedback: "put it in NOTES.md instead" });
    const { now } = await state(world);
    expect(now.phase === "pending" && now.submission.steps.map((step) => step.step)).toEqual([
      'Add the section "Describe the spout" to NOTES.md',
      'Answer the review: "put it in NOTES.md instead"',
      "Read NOTES.md back and compare it with this plan",
    ]);
  });

  it("waits for the person while a question or a plan is open", async () => {
    const world = demoWorld();
    await world.open();
    await world.send("Describe the spout");
    await world.settle();
    await world.send("hello?");
    await world.settle();
    expect(await lastWords(world)).toMatch(/My question is still open/);
    await answer(world, "own-file");
    await world.send("well?");
    await world.settle();
    expect(await lastWords(world)).toMatch(/The plan waits for your decision/);
    const { now } = await state(world);
    expect(now.phase === "pending" && now.submission.title).toBe("Note in HOLDPOINT_DEMO.md: Describe the spout");
  });

  it("answers plainly and says how to turn plan mode on where it is off", async () => {
    const off = demoWorld({ planMode: PlanModeSettings.parse({ enabled: false }) });
    await off.open();
    await off.send("hi");
    await off.settle();
    expect(await lastWords(off)).toMatch(/^\[scripted demo\] I am Holdpoint's demo agent: a script.*planMode\.enabled/);
    const idle = demoWorld({ planMode: PlanModeSettings.parse({ enabled: true }) });
    await idle.open();
    await idle.send("hi");
    await idle.settle();
    expect(await lastWords(idle)).toMatch(/Type \/plan on/);
  });

  it("streams word by word and stops when it is told to", async () => {
    const stop = new AbortController();
    const model = createDemoModel({ pause: async () => stop.abort() });
    const request = {
      sessionId: "ses_1",
      turnId: "trn_1",
      system: "",
      entries: [],
      tools: [],
      workspace: "/",
      signal: stop.signal,
    };
    const parts = await Array.fromAsync(model.stream(request));
    expect(parts).toEqual([{ type: "text", delta: "[scripted " }]);
    expect({ id: model.id, scripted: model.scripted }).toEqual({ id: "demo", scripted: true });
  });
});

async function untilPlanned(where: string, policies: TrustedToolPolicy[] = []): Promise<TurnWorld> {
  const world = demoWorld(ON, policies);
  await world.open();
  await world.send("Describe the spout");
  await world.settle();
  await answer(world, where);
  return world;
}

/** The decision is committed; the turn that carries it out has not begun. */
async function untilApproved(where: string, policies: TrustedToolPolicy[] = []): Promise<TurnWorld> {
  const world = await untilPlanned(where, policies);
  const { now } = await state(world);
  const approvalId = now.phase === "pending" ? now.submission.approvalId : "";
  await slice(world, { type: "decide", approval: { action: "approve", approvalId } });
  return world;
}

/** A gateway that runs until its agent has answered once more, and is then dead: its lease is lost, its loop forgotten. */
async function answersBeforeCrash(before: TurnWorld, node: string): Promise<void> {
  const demo = createDemoModel();
  const second = Promise.withResolvers<void>();
  let asked = 0;
  const model: Model = {
    ...demo,
    async *stream(request) {
      if (++asked > 1) {
        second.resolve();
        await new Promise(() => undefined);
      }
      yield* demo.stream(request);
    },
  };
  const { store, clock, workspace } = before;
  const world = turnWorld({
    model,
    plugins: [planModePlugin],
    settings: ON,
    workspace,
    store,
    clock,
    node,
    shared: true,
  });
  await Promise.race([world.settle(), second.promise]);
}
