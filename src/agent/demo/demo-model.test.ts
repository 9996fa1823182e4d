import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, turnWorld, type TurnWorld } from "../../../test/kit/turn-world.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { PlanModeSettings, PlanModeState } from "../../protocol/plan-mode.ts";
import { createDemoModel } from "./demo-model.ts";

const ON = { planMode: PlanModeSettings.parse({ enabled: true, defaultActive: true }) };

function demoWorld(settings: Record<string, unknown> = ON): TurnWorld {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, "README.md"), "# Kettle\n\nBoils water.\n");
  writeFileSync(join(workspace, "package.json"), '{ "name": "kettle" }\n');
  return turnWorld({ model: createDemoModel(), plugins: [planModePlugin], settings, workspace });
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
});
