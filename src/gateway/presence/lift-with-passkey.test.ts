/** What loosens the gate is signed with the passkey as well. */
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { decide, person, refusalIn, servePresence, signed, waitingPlan } from "../../../test/kit/presence-world.ts";
import { verifySignedRows } from "./verify-signed-rows.ts";

const Held = z.object({ held: z.object({ id: z.string() }) });

it("[GW-10, PL-19] a hold that leaving plan mode set is lifted by a passkey's signature, which is in the log", async () => {
  const gateway = await servePresence();
  onTestFinished(() => gateway.close());
  const alice = await person(gateway, "alice");
  const { sessionId } = await waitingPlan(gateway, alice);
  const patch = (about: object) => alice.browser.request("sessions.patch", { sessionId, ...about } as never);
  expect(await patch({ planMode: "normal" })).toMatchObject({ ok: true });
  const { held } = Held.parse((await gateway.engine.session(sessionId))?.slices["planMode"]);
  const lift = { planApproval: { action: "lift", approvalId: held.id } };
  const asked = refusalIn(await patch(lift));
  expect(asked.code).toBe("PRESENCE_REQUIRED");
  const other = refusalIn(await decide(alice.browser, await waitingPlan(gateway, alice)));
  expect(refusalIn(await patch({ ...lift, presence: signed(alice.key, other) })).code).toBe("PRESENCE_INVALID");
  expect(await patch({ ...lift, presence: signed(alice.key, asked) })).toMatchObject({ ok: true });
  const rows = await gateway.store.auditRows({ afterSeq: 0, limit: 200 });
  expect(rows.some(({ body }) => body.includes('"loosening.signed"'))).toBe(true);
  const verified = await verifySignedRows(async (afterSeq) => rows.filter(({ seq }) => seq > afterSeq));
  expect(verified).toMatchObject({ signatures: 1, faults: [] });
});
