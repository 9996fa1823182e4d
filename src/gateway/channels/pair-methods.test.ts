import { expect, it } from "vitest";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import { memoryRevocations } from "../login/revocation-list.ts";
import { createTokens } from "../tokens.ts";
import { endUnpaired, pairMethods } from "./pair-methods.ts";
import { createPairing } from "./pairing.ts";

it("[GW-03, CH-09] a restored backup pairs nobody again who was unpaired since; whoever was paired anew stays", async () => {
  const [store, clock, revocations] = [openMemoryStore(), fakeClock(1_000), memoryRevocations()];
  const tokens = createTokens({ store, clock });
  const methods = pairMethods({ store, clock, tokens, revocations, pairing: createPairing({ store, clock }) });
  const audit = { atMs: 0, actor: "opr_test", facts: [] };
  const accountOf = (personId: string) => ({
    surface: "telegram",
    account: "main",
    personId,
    operatorId: OperatorId.parse("opr_alice"),
    createdAtMs: clock.now(),
  });
  const [old, other] = [accountOf("mallory"), accountOf("bob")];
  for (const account of [old, other]) await store.saveSurfaceAccount(account, audit);
  const actor = {
    kind: "operator",
    id: OperatorId.parse("opr_alice"),
    name: "alice",
    scopes: [],
    surface: "cli",
  } as const;
  const { surface, account } = old;
  await methods["pair.revoke"]({ surface, account, personId: "mallory" }, { actor } as never);
  expect((await store.surfaceAccounts()).map(({ personId }) => personId)).toEqual(["bob"]);

  await store.saveSurfaceAccount(old, audit); // as the backup has it
  expect(await endUnpaired({ store, clock, revocations })).toBe(1);
  expect((await store.surfaceAccounts()).map(({ personId }) => personId)).toEqual(["bob"]);
  clock.advance(1_000);
  await store.saveSurfaceAccount(accountOf("mallory"), audit); // an operator changed their mind
  expect(await endUnpaired({ store, clock, revocations })).toBe(0);
  expect((await store.surfaceAccounts()).map(({ personId }) => personId)).toEqual(["bob", "mallory"]);
});
