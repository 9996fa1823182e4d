import { expect, it } from "vitest";
import { runningTurn } from "../../../test/kit/core.ts";
import { Config } from "../../config/config.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import { followPlanMode } from "./plan-mode-trail.ts";

function world(config: object, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const looked: string[] = [];
  let publish: (committed: Committed) => void = () => undefined;
  const parts = {
    engine: {
      onCommitted: (listener: typeof publish) => {
        publish = listener;
        return () => undefined;
      },
    },
    log: { info: (_fields: object, text: string) => void lines.push(text) } as never,
    config: () => Config.parse(config),
    settingsFor: () => {
      looked.push("settings");
      return { planMode: { debug: true } };
    },
    env,
  };
  followPlanMode(parts);
  const { session } = runningTurn().world;
  if (session === undefined) throw new Error("no session");
  const event = { type: "turn.requested", cause: "message" } as never;
  publish({ sessionId: session.id, session, events: [{ cursor: 1, sessionId: session.id, atMs: 0, event }] });
  return { lines, looked };
}

it("[GW-07] makes no session's settings while the trail is off everywhere", () => {
  expect(world({})).toEqual({ lines: [], looked: [] });
  const on = world({ agents: { list: [{ id: "a", planMode: { debug: true } }] } });
  expect(on).toEqual({ lines: ["[plan-mode/turn] requested by message"], looked: ["settings"] });
  expect(world({}, { HOLDPOINT_DEBUG_PLAN_MODE: "1" })).toEqual({ lines: on.lines, looked: [] });
});
