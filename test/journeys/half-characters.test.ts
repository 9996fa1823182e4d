/** Text that was cut in the middle of a character, as editors and scripts hand it over. */
import { expect, it } from "vitest";
import { startTestGateway } from "../../src/testing/index.ts";

it("[GW-01] half of a character in what a person sends is sent as the sign for it: the call is answered, not waited for for ever", async () => {
  await using gateway = await startTestGateway();
  const session = await gateway.session();
  await session.say("Look at this: \ud83d");
  await session.atRest();
  expect(await session.inputs()).toEqual([expect.stringContaining("Look at this: \ufffd")]);
});
