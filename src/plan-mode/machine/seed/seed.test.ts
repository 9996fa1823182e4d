import { describe, expect, it } from "vitest";
import { agent, alice, body, otherAgent, planSession, reader, system } from "../../../../test/kit/plan-session.ts";
import { statusText } from "../text/status-text.ts";
import { chooseTemplate } from "./choose-template.ts";

const steps = (...texts: string[]) => texts.map((step) => ({ step }));
const templates = [
  { skill: "zoo", archetype: "bug-fix" as const, steps: steps("Feed") },
  { skill: "apt", steps: steps("Update", "Install", "Update") },
  { skill: "kinds", archetype: "feature" as const, steps: [] },
];

describe("the template that begins a draft", () => {
  it("[ST-05] is of the alphabetically first skill; the others are reported, duplicates are dropped", () => {
    expect(chooseTemplate(templates, { maxSteps: 50 })).toEqual({
      skill: "apt",
      steps: [
        { step: "Update", status: "pending" },
        { step: "Install", status: "pending" },
      ],
      report: { rejected: ["zoo"], duplicates: ["Update"], truncated: 0, maxSteps: 50 },
    });
  });

  it("[ST-05] is cut behind its duplicates, at its end", () => {
    const long = [{ skill: "long", steps: steps("a", "a", "b", "c", "d") }];
    expect(chooseTemplate(long, { maxSteps: 2 })).toMatchObject({
      steps: [{ step: "a" }, { step: "b" }],
      report: { duplicates: ["a"], truncated: 2 },
    });
  });

  it("[ST-06] is of the chosen kind, and there is none where no skill declares it", () => {
    expect(chooseTemplate(templates, { maxSteps: 50, archetype: "bug-fix" })?.skill).toBe("zoo");
    expect(chooseTemplate(templates, { maxSteps: 50, archetype: "feature" })).toBeUndefined();
    expect(chooseTemplate([], { maxSteps: 50 })).toBeUndefined();
  });
});

const enter = { type: "enter", reason: "" } as const;
const seed = { type: "seed", templates } as const;

describe("a draft in its cycle", () => {
  it("[ST-05] begins before the first turn, once, and is the agent's from its first change on", () => {
    const session = planSession();
    session.apply(seed, system);
    expect(session.state().now.steps).toEqual([]); // nobody plans
    session.apply(enter, alice);
    session.apply(seed, system);
    const by = { kind: "system", id: "timer", name: "timer" };
    expect(session.state().now).toMatchObject({
      steps: [{ step: "Update" }, { step: "Install" }],
      cycle: { seed: { skill: "apt", by, untouched: true } },
    });
    expect(statusText(session.state()).join("\n")).toContain("template of the skill apt");
    session.apply({ type: "update", patch: { plan: [{ step: "Look", status: "pending" }] } }, agent);
    session.apply(seed, system);
    expect(session.state().now).toMatchObject({ steps: [{ step: "Look" }], cycle: { seed: { skill: "apt", by } } });
    expect(session.apply({ ...seed, skill: "zoo" }, alice)).toMatchObject({ refused: { code: "DRAFT_EXISTS" } });
  });

  it("[ST-05, ST-06] gives way, untouched, to the choice of a person", () => {
    const session = planSession();
    session.apply(enter, alice);
    session.apply(seed, system);
    session.apply({ ...seed, skill: "zoo" }, alice);
    expect(session.state().now).toMatchObject({ steps: [{ step: "Feed" }], cycle: { seed: { skill: "zoo" } } });
    expect(session.apply({ ...seed, skill: "none" }, alice)).toMatchObject({ refused: { code: "TEMPLATE_NOT_FOUND" } });
    session.apply({ type: "set-archetype", archetype: "bug-fix" }, alice);
    expect(session.state().now.steps).toHaveLength(1); // what a person chose stays
  });

  it("[ST-06] a kind chosen after an automatic seed asks for one of that kind", () => {
    const session = planSession();
    session.apply(enter, alice);
    session.apply(seed, system);
    session.apply({ type: "set-archetype", archetype: "bug-fix" }, agent);
    expect(session.state().now.steps).toEqual([]);
    session.apply(seed, system);
    expect(session.state().now).toMatchObject({ steps: [{ step: "Feed" }], cycle: { seed: { skill: "zoo" } } });
  });

  it("[ST-06] an agent chooses a kind while it enters; what a person chose it does not change", () => {
    const session = planSession();
    session.apply({ ...enter, archetype: "research" }, agent);
    expect(session.state().now).toMatchObject({ cycle: { archetype: { name: "research", by: { kind: "agent" } } } });
    session.apply({ type: "set-archetype", archetype: "incident" }, alice);
    session.apply({ ...enter, archetype: "research" }, agent);
    session.apply({ type: "set-archetype", archetype: null }, agent);
    expect(session.state().now).toMatchObject({ cycle: { archetype: { name: "incident", by: { kind: "operator" } } } });
    const submit = (archetype: "research" | "incident") =>
      session.apply({ type: "submit", body: { ...body, archetype }, digest: "d1" }, agent);
    expect(submit("research")).toMatchObject({ refused: { code: "PLAN_INVALID" } });
    submit("incident");
    expect(session.state().now.phase).toBe("pending");
    expect(session.apply({ type: "set-archetype", archetype: "feature" }, alice)).toMatchObject({
      refused: { code: "APPROVAL_PENDING" },
    });
  });

  it("[ST-05] only the gateway and whoever may decide begin it; no agent does", () => {
    const session = planSession();
    session.apply(enter, alice);
    for (const actor of [agent, otherAgent, reader])
      expect(session.apply(seed, actor)).toMatchObject({ refused: { code: "PERMISSION_DENIED" } });
    expect(session.apply({ type: "set-archetype", archetype: "feature" }, otherAgent)).toMatchObject({
      refused: { code: "PERMISSION_DENIED" },
    });
  });
});
