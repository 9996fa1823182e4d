/** What somebody who may only read can leave behind in a session by way of a plugin's command. */
import { expect, it } from "vitest";
import { definePlugin, z } from "../../src/plugins/sdk.ts";
import { startTestGateway } from "../../src/testing/index.ts";

const shout = definePlugin({
  id: "shout",
  name: "Shout",
  description: "Says what it is told.",
  register(api) {
    api.registerCommand({
      name: "shout",
      description: "Says it to everybody.",
      requiredScopes: ["operator.read"],
      handler: async ({ args }) => ({ message: args, delivery: "channel" }),
    });
    api.session.state.registerSessionExtension({
      namespace: "said",
      description: "What was said last.",
      schema: z.string(),
      initial: "",
    });
    api.registerCommand({
      name: "keep",
      description: "Keeps it, which it may not.",
      requiredScopes: ["operator.read"],
      async handler({ args, state }) {
        state.set("said", args);
        return { message: "Kept." };
      },
    });
  },
});

it("[PG-05, PG-06] a command that needs no more than operator.read writes no line into the session: its answer stays with its sender", async () => {
  await using gateway = await startTestGateway({ plugins: [shout] });
  const session = await gateway.session();
  const rita = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
  const hers = await rita.session(session.id);
  const before = structuredClone(session.stored());
  expect(await hers.run("/shout The plan was approved.")).toBe("The plan was approved.");
  expect(await session.notices()).toEqual([]);
  expect(session.stored()).toEqual(before);
});

it("[PG-05] a command that may only read and tries to change something is answered with that reason, also where it does not catch it", async () => {
  await using gateway = await startTestGateway({ plugins: [shout] });
  const session = await gateway.session();
  await expect(session.run("/keep this")).rejects.toMatchObject({
    code: "PLUGIN_FAILED",
    message: expect.stringContaining("needs no more than operator.read, so it may change nothing"),
  });
});
