import { expect, it } from "vitest";
import { coreWorld, create, gateSlice } from "../../../test/kit/core.ts";
import { anySlice } from "../../core/slice.ts";
import { ownedSlice } from "./owned-slice.ts";

const opened = () => {
  const world = coreWorld([
    ownedSlice({ pluginId: "deploy", fields: () => new Set(), failed: () => {} }, anySlice(gateSlice)),
  ]);
  world.must(create);
  return world;
};

it("[PG-03, IN-01, IN-04] what a trusted plugin's machine queues stands under its own name, below a decision, in its envelope", () => {
  const world = opened();
  world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
  expect(world.session?.injections).toEqual([
    {
      id: "plugin:deploy:told",
      kind: "plugin:deploy",
      text: "[PLUGIN_MESSAGE deploy]\n> The gate has spoken.\n[/PLUGIN_MESSAGE]",
      priority: 9,
      createdAtMs: 1_000,
      cycleId: "cyc_1",
    },
  ]);
});

it("[IN-02] and it cancels nothing that somebody else queued for a cycle", () => {
  const world = opened();
  world.must({ type: "slice.apply", slice: "gate", command: { do: "tell" } });
  world.must({ type: "slice.apply", slice: "gate", command: { do: "close" } });
  expect(world.session?.injections).toHaveLength(1);
  expect(world.session?.slices).toEqual({ gate: { open: false } });
});
