import { describe, expect, it } from "vitest";
import { cardsOf, CARD_WORLDS, CLOSINGS, closedIn, finish } from "../../../test/kit/card-world.ts";
import { admin, alice, body, type PlanSession, reader } from "../../../test/kit/plan-session.ts";
import type { Actor } from "../../protocol/actor.ts";
import { availabilityOf, patchOf } from "../../protocol/card/availability.ts";
import { callShownIn } from "../../protocol/card/call-shown.ts";
import type { Card, CardAction } from "../../protocol/card/card.ts";
import { CardSchema } from "../../protocol/card/card-schema.ts";
import { cardsIn } from "../../core/cards.ts";
import { JsonObject } from "../../protocol/json.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import { callQuestion } from "../machine/grant/ask-call.ts";
import { planSections } from "./plan-sections.ts";

type World = keyof typeof CARD_WORLDS;

const DECIDE = "approve approve-allowing-edits approve-edition";

/** Every phase, and exactly what people see and can do in it. */
const TABLE: Record<World, string[]> = {
  off: [],
  exploring: [],
  pending: [`approval pending: ${DECIDE} reject`],
  "pending, a person reads": [`approval pending: ${DECIDE} reject`],
  "pending, late": [`approval pending: ${DECIDE} reject`],
  "pending, two must sign": [`approval pending: ${DECIDE} reject`],
  "pending, one of two signed": [`approval pending: ${DECIDE} reject`],
  "pending, only Root may": [`approval pending: ${DECIDE} reject`],
  "pending, with a note": [`approval pending: ${DECIDE} reject`],
  "pending, notes must be resolved": [`approval pending: ${DECIDE} reject`],
  "pending, a sub-agent works": [`approval pending: ${DECIDE} reject`],
  "pending, nobody knows of sub-agents": [`approval pending: ${DECIDE} reject`],
  rejected: [`approval rejected: ${DECIDE}`],
  "timed out": ["approval timed_out: "],
  approved: ["approval approved: "],
  edited: ["approval edited: "],
  "approved by rule": ["approval approved: "],
  "auto on": ["notice shown: auto-off"],
  "no approval required": ["notice shown: "],
  question: ["question open: answer defer decline"],
  "question, late": ["question open: answer defer decline"],
  "held call": ["grant open: allow-once deny defer decline"],
  "held call, only Root may": ["grant open: allow-once deny defer decline"],
  "call allowed": ["grant given: "],
};

const worlds = Object.keys(CARD_WORLDS) as World[];
const inShort = ({ kind, state, actions }: Card): string =>
  `${kind} ${state}: ${actions.map(({ id }) => id).join(" ")}`;

describe("the cards of plan mode", () => {
  it("[IG-03] that of a run outside, whose plan a person writes, is one that every surface can read", () => {
    const on = CARD_WORLDS.exploring();
    const cards = cardsIn(
      { ...on.session(), kind: "external" },
      { slices: on.host.slices, settings: { planMode: on.settings() } },
    );
    expect(cards.map(inShort)).toEqual(["notice shown: write"]);
    for (const card of cards) expect(CardSchema.parse(JSON.parse(JSON.stringify(card)))).toEqual(card);
  });

  it.each(worlds)("[PL-01, PL-06, PL-09, PL-16, QU-01, GA-02] are exactly these: %s", (name) => {
    const cards = cardsOf(CARD_WORLDS[name]());
    expect(cards.map(inShort)).toEqual(TABLE[name]);
    for (const card of cards) expect(CardSchema.parse(JSON.parse(JSON.stringify(card)))).toEqual(card);
  });

  it("[CH-05, CH-07] the card of a plan that was carried out shows its steps as they ended", () => {
    const session = CARD_WORLDS.approved();
    const marks = closedIn(session, () => finish(session)).flatMap((card) =>
      card.kind === "approval"
        ? card.steps.map(({ status, criteria }) => [status, criteria.every(({ verified }) => verified)])
        : [],
    );
    expect(marks.length).toBeGreaterThan(0);
    expect(marks).toEqual(marks.map(() => ["completed", true]));
  });

  it.each(CLOSINGS)("[PL-08, PL-09, PL-11, QU-02] are closed by %s (%s)", (...[, world, change, state]) => {
    const session = CARD_WORLDS[world]();
    const [before] = cardsOf(session);
    const closed = closedIn(session, () => change(session));
    expect(closed.map((card) => [card.id, card.state, card.actions])).toEqual([[before?.id, state, []]]);
    for (const card of closed) expect(CardSchema.parse(JSON.parse(JSON.stringify(card)))).toEqual(card);
  });

  it("[PL-18, RV-01] say which plan it is, its steps with their criteria, who signed and who is missing, and open notes", () => {
    const [card] = cardsOf(CARD_WORLDS["pending, one of two signed"]());
    const by = { kind: "operator", id: "opr_alice", name: "Alice" };
    expect(card).toMatchObject({
      title: "Rename the parser",
      revision: 1,
      steps: [
        {
          text: "Rename the file",
          status: "pending",
          criteria: [
            { text: "imports resolve", verified: false },
            { text: "tests pass", verified: false },
          ],
        },
        { text: "Tell the team", status: "pending", criteria: [] },
      ],
      signing: { quorum: 2, missing: [], signatures: [{ by, allowsEdits: false }] },
      notesOpen: 0,
    });
    expect(cardsOf(CARD_WORLDS["pending, with a note"]())[0]).toMatchObject({ notesOpen: 1 });
    expect(cardsOf(CARD_WORLDS["pending, only Root may"]())[0]).toMatchObject({
      signing: { quorum: 1, missing: ["Root"], signatures: [] },
    });
  });

  it("[SB-03] name the sub-agents that keep a plan from being approved, and leave sending it back free", () => {
    const freeIn = (world: World) => {
      const session = CARD_WORLDS[world]();
      const [card] = cardsOf(session);
      if (card?.kind !== "approval" || alice.kind !== "operator") throw new Error("no plan");
      const beholding = { person: alice, nowMs: session.now() };
      const free = card.actions.filter((action) => availabilityOf(card, action, beholding).allowed);
      return { blockedBy: card.blockedBy, free: free.map(({ id }) => id) };
    };
    expect(freeIn("pending, a sub-agent works")).toMatchObject({
      blockedBy: [{ title: "Look around" }],
      free: ["reject"],
    });
    expect(freeIn("pending, nobody knows of sub-agents")).toEqual({ blockedBy: "unknown", free: ["reject"] });
  });

  it("[BY-07] say until when the clock stands still, and who reads", () => {
    const [card] = cardsOf(CARD_WORLDS["pending, a person reads"]());
    expect(card?.deadline).toMatchObject({ readBy: { name: "Alice" } });
    expect(card?.deadline?.pausedUntilMs).toBeGreaterThan(0);
  });

  it("[PL-16] tell what a rule approved from what a person did", () => {
    const status = (world: World): string | undefined => cardsOf(CARD_WORLDS[world]())[0]?.status.text;
    expect(status("approved")).toBe("Accepted by Alice");
    expect(status("edited")).toBe("Accepted by Root, edits allowed");
    expect(status("approved by rule")).toBe("Accepted by a rule, not by a person (no approval required here)");
  });

  it("[PL-18] go by the rules of the moment, not by those under which the plan came", () => {
    const session = CARD_WORLDS["pending, one of two signed"]();
    session.configure({ approvals: { quorum: 3, approvers: ["Root"] } });
    expect(cardsOf(session)[0]).toMatchObject({ signing: { quorum: 3, signatures: [], missing: ["Root"] } });
  });

  it("[CH-05] carry the sections of the plan where its text is at hand", () => {
    const risks = [{ risk: "it breaks", mitigation: "mend it" }];
    expect(planSections({ ...body, summary: "Short.", risks, references: ["a"] })).toEqual([
      {
        id: "summary",
        heading: { text: "Summary", said: [{ line: 0, key: "section_summary", args: {} }] },
        text: "Short.",
      },
      {
        id: "risks",
        heading: { text: "Risks", said: [{ line: 0, key: "section_risks", args: {} }] },
        pairs: [{ text: "it breaks", answer: "mend it" }],
      },
      {
        id: "references",
        heading: { text: "References", said: [{ line: 0, key: "section_references", args: {} }] },
        items: ["a"],
      },
    ]);
  });
});

const ACTORS: readonly Actor[] = [alice, reader, admin];

/** What the person gives with it, where it takes something. */
function givenFor({ input }: CardAction) {
  switch (input.kind) {
    case "none":
      return undefined;
    case "text":
      return "words";
    case "option":
      return input.options[0]?.id;
    case "steps":
      return [{ step: "Another", status: "pending" }];
  }
}

/** Through the field of `sessions.patch`, as the gateway does it. */
function attempt(session: PlanSession, action: CardAction, actor: Actor): string {
  const patch = patchOf(action, givenFor(action));
  const field = session.host.patchFields.get(action.patch.field);
  if (field === undefined || actor.kind !== "operator") throw new Error("no such field");
  const value = field.schema.parse(patch[action.patch.field]);
  const command = field.toCommand(value);
  const whole =
    command["type"] === "approve-edition" ? { ...command, base: JSON.parse(JSON.stringify(body)) } : command;
  const result = session.apply(PlanModeCommand.parse(JsonObject.parse(whole)), actor);
  if (!("refused" in result)) return "allowed";
  return result.refused.code === "PERMISSION_DENIED" ? "FORBIDDEN" : result.refused.code;
}

describe("what a card lets a person do", () => {
  const cases = worlds.flatMap((world) =>
    cardsOf(CARD_WORLDS[world]()).flatMap((card) =>
      card.actions.flatMap(({ id }) => ACTORS.map((actor) => [world, id, actor] as const)),
    ),
  );

  it.each(cases)("[PL-10, PL-18, QU-02] is what the machine lets them do: %s, %s", (world, id, actor) => {
    const session = CARD_WORLDS[world]();
    const card = cardsOf(session).find(({ actions }) => actions.some((action) => action.id === id));
    const action = card?.actions.find((one) => one.id === id);
    if (card === undefined || action === undefined || actor.kind !== "operator") throw new Error("no such action");
    const told = availabilityOf(card, action, { person: actor, nowMs: session.now() });
    expect(told.allowed ? "allowed" : told.why.code).toBe(attempt(session, action, actor));
  });

  it("[PL-10] names the id, and for a yes the bytes that were read", () => {
    const [card] = cardsOf(CARD_WORLDS.pending());
    if (card?.kind !== "approval") throw new Error("no plan");
    const { id: approvalId, digest } = card;
    expect(card.actions.map((action) => patchOf(action, givenFor(action)))).toEqual([
      { planApproval: { action: "approve", approvalId, digest } },
      { planApproval: { action: "edit", approvalId, digest } },
      {
        planApproval: { action: "approve_edited", approvalId, digest, steps: [{ step: "Another", status: "pending" }] },
      },
      { planApproval: { action: "reject", approvalId, feedback: "words" } },
    ]);
  });
});

describe("a held call", () => {
  const call = { tool: "exec", folder: "/w", gate: "plan", rule: "r", matched: "m" } as const;

  it.each(["rm -rf /", "one\n\n    two", "    \nlast line\n", "May it make exactly this call, once?"])(
    "[UI-02] is shown exactly as the gateway wrote it: %j",
    (shown) => {
      expect(callShownIn(callQuestion({ call: call as never, shown }) ?? "")).toBe(shown);
    },
  );

  it("[UI-02] is never guessed from a text that is built otherwise", () => {
    for (const text of ["", "a\nb", "a\n    b\nc", "a\n    b\nnot indented\nc\nd", "    a\n    b\nc\nd"]) {
      expect(callShownIn(text)).toBe(undefined);
    }
  });
});
