import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sessionId } from "../../../test/kit/core.ts";
import { family, PLAN_MODE, spawn, write } from "../../../test/kit/family.ts";
import { answer } from "../../../test/kit/scripted-turn.ts";
import { MessageId } from "../../protocol/ids.ts";
import { TURN_SETTINGS, TurnSettings } from "../../protocol/settings/turn-settings.ts";

it("[GA-14] what a held run tells a child is not carried out in the attended turn that the child is in", async () => {
  const held = Promise.withResolvers<void>();
  const made = family(
    {
      parent: [spawn("look"), answer("waiting"), answer("noted"), answer("noted")],
      child: [
        { until: held.promise, calls: [{ tool: "glob", args: { pattern: "*" } }] },
        write,
        answer("a"),
        answer("b"),
      ],
    },
    { settings: { planMode: PLAN_MODE, [TURN_SETTINGS]: TurnSettings.parse({ queueMode: "steer" }) } },
  );
  await made.open();
  await made.send("look");
  const settling = made.settle();
  await made.model.asked(3); // the parent twice, the child once
  const said = { type: "message.send", messageId: MessageId.parse("msg_night"), text: "write it" } as const;
  const parent = { actor: { kind: "agent", sessionId } } as const;
  await made.engine.dispatch(await made.childId(), { ...said, attended: false }, parent);
  held.resolve();
  await settling;
  const request = made.model.requests.filter((one) => one.sessionId !== sessionId)[1];
  const inputs = request?.entries.flatMap((entry) => (entry.kind === "input" ? [entry.text] : [])) ?? [];
  const isTold = inputs.some((text) => text.includes("write it"));
  expect([isTold, existsSync(join(made.workspace, "out.txt"))]).not.toEqual([true, true]);
});
