/** Decisions with passkeys, at the wire: a software authenticator signs, and everything that can be wrong is. */
import { decisionCode } from "../../plan-mode/machine/signature/decision-code.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  approve,
  BODY,
  codeIn,
  decide,
  enrol,
  originOf,
  person,
  type PresentPerson,
  refusalIn,
  servePresence,
  signed,
  signedLink,
  submitted,
  waitingPlan,
} from "../../../test/kit/presence-world.ts";
import type { ServedGateway } from "../../../test/kit/served-gateway.ts";
import { softwareAuthenticator } from "../../../test/kit/software-authenticator.ts";
import { ask } from "../../../test/kit/browser-login.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { AuditFact, type AuditRow } from "../../protocol/audit.ts";
import { z } from "zod";
import type { Sender } from "../../inbound/sender.ts";
import { createAskingEngine } from "./asking-engine.ts";
import { ENROL_MS_MAX } from "./enrolment.ts";
import { openPresence } from "./open-presence.ts";
import { CHALLENGE_MS_MAX } from "./presence.ts";
import { verifySignedRows } from "./verify-signed-rows.ts";

let gateway: ServedGateway;
let alice: PresentPerson;

beforeEach(async () => {
  gateway = await servePresence();
  alice = await person(gateway, "alice");
});
afterEach(() => gateway.close());

const rows = (): Promise<AuditRow[]> => gateway.store.auditRows({ afterSeq: 0, limit: 200 });
const factsIn = ({ body }: AuditRow) => z.object({ facts: z.array(AuditFact) }).parse(JSON.parse(body)).facts;
const facts = async (type: string) => (await rows()).flatMap(factsIn).filter((fact) => fact.type === type);
const verify = async (given?: readonly AuditRow[]) => {
  const all = given ?? (await rows());
  return verifySignedRows(async (afterSeq) => all.filter(({ seq }) => seq > afterSeq));
};
const code = async (answer: ReturnType<typeof decide>) => {
  const { code: found, said } = refusalIn(await answer);
  return [found, said?.[0]?.key];
};

describe("a decision that needs a passkey", () => {
  it("[GW-10] is asked for, signed, verified, kept in the audit row, and verified again from the row", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const refusal = refusalIn(await decide(alice.browser, waiting));
    expect(refusal).toMatchObject({
      code: "PRESENCE_REQUIRED",
      details: { origin: originOf(gateway), publicKey: { rpId: "localhost", userVerification: "required" } },
    });
    const answer = await decide(alice.browser, waiting, { presence: signed(alice.key, refusal) });
    expect(answer).toMatchObject({ ok: true, payload: { reply: { decision: "approved", mode: "executing" } } });
    const [decided] = await facts("plan.decided");
    expect(decided?.detail).toMatchObject({
      approvalId: waiting.approvalId,
      digest: waiting.digest,
      presence: { credentialId: alice.key.credentialId, statement: { person: alice.id, decision: "approve" } },
    });
    expect(await verify()).toMatchObject({
      signatures: 1,
      faults: [],
      keys: [{ operatorId: alice.id, signatures: 1, name: "Test key" }],
    });
  });

  it("[GW-10] is a rejection never: nobody is hindered from saying no", async () => {
    const waiting = await waitingPlan(gateway, alice);
    expect(await decide(alice.program, waiting, REJECT)).toMatchObject({ ok: true });
  });

  it("[GW-10] over a rejection is a decision of its own, and so is one that allows edits", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const asked = refusalIn(await decide(alice.browser, waiting));
    await decide(alice.program, waiting, REJECT);
    const before = signed(alice.key, asked);
    expect(await code(decide(alice.browser, waiting, { presence: before, overRejection: 1 }))).toEqual(OTHER);
    const over = refusalIn(await decide(alice.browser, waiting, { overRejection: 1 }));
    await decide(alice.program, waiting, { ...(REJECT as object), feedback: "Still no." } as never);
    const signedBefore = { presence: signed(alice.key, over), overRejection: 2 };
    expect(await code(decide(alice.browser, waiting, signedBefore))).toEqual(OTHER);
    expect(await approve(alice, waiting, { action: "edit", overRejection: 2 })).toMatchObject({ ok: true });
    const decided = (await facts("plan.decided")).at(-1);
    expect(decided?.detail).toMatchObject({ presence: { statement: { decision: "edit_over_rejection_2" } } });
    expect((await verify()).faults).toEqual([]);
  });

  it("[GW-10, PL-17] signs the steps as the person edited them, and no others", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const edited = { action: "approve_edited", steps: [{ step: "paint it blue", status: "pending" }] };
    const asked = refusalIn(await decide(alice.browser, waiting, edited));
    const others = { ...edited, steps: [{ step: "burn it", status: "pending" }] };
    const presence = signed(alice.key, asked);
    expect(await code(decide(alice.browser, waiting, { ...others, presence }))).toEqual(OTHER);
    expect(await approve(alice, waiting, edited)).toMatchObject({ ok: true });
    expect(await verify()).toMatchObject({ signatures: 1, faults: [] });
  });

  it("[GW-10, PL-18] is each of several signatures", async () => {
    await gateway.close();
    gateway = await servePresence({ planMode: { approvals: { quorum: 2, presence: "passkey" } } });
    alice = await person(gateway, "alice");
    const bob = await person(gateway, "bob", { by: alice });
    const waiting = await waitingPlan(gateway, alice);
    expect(await approve(alice, waiting)).toMatchObject({ ok: true, payload: { reply: { decision: "signed" } } });
    expect(refusalIn(await decide(bob.program, waiting)).code).toBe("PRESENCE_REQUIRED");
    expect(await approve(bob, waiting)).toMatchObject({ ok: true, payload: { reply: { mode: "executing" } } });
    expect(await verify()).toMatchObject({ signatures: 3, faults: [] }); // and the link for Bob's key
  });

  it("[GW-10, PL-10] delivered twice under one key is answered twice and counted once", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const presence = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    const [first, second] = [
      await decide(alice.browser, waiting, { presence, idempotencyKey: "k1" }),
      await decide(alice.browser, waiting, { presence, idempotencyKey: "k1" }),
    ];
    expect([first, second]).toMatchObject([{ ok: true }, { ok: true, payload: { reply: { decision: "approved" } } }]);
    expect(await facts("plan.decided")).toHaveLength(1);
  });

  it("[GW-10, GA-10] is a yes to one held call, and no denial of it", async () => {
    const { session } = await alice.program.must("sessions.create", { agentId: "main" });
    const { id: sessionId } = session;
    const held = {
      gate: "plan",
      tool: "exec",
      kind: "bash",
      argsDigest: "abc",
      folder: "/w",
      rule: "unknown",
      matched: "make",
    };
    const asked = async (callId: string) => {
      const command = { type: "ask-call", callId, call: held, shown: "make" };
      const by = { actor: { kind: "agent" as const, sessionId } };
      const outcome = await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
      const state = z.object({ question: z.object({ approvalId: z.string() }) });
      return {
        sessionId,
        approvalId: state.parse(outcome.session?.slices["planMode"]).question.approvalId,
        digest: "",
      };
    };
    const answered = (words: string) => ({ action: "answer", answer: words, digest: undefined }) as never;
    const first = await asked("c1");
    expect(await decide(alice.program, first, answered("deny"))).toMatchObject({ ok: true });
    const second = await asked("c2");
    const refusal = refusalIn(await decide(alice.browser, second, answered("allow-once")));
    expect(refusal.code).toBe("PRESENCE_REQUIRED");
    const presence = signed(alice.key, refusal);
    const allowed = await decide(alice.browser, second, { ...(answered("allow-once") as object), presence });
    expect(allowed).toMatchObject({ ok: true });
    expect(await facts("grant.given")).toMatchObject([
      { detail: { presence: { statement: { decision: "allow-once" } } } },
    ]);
    expect(await verify()).toMatchObject({ signatures: 1, faults: [] });
    const forged = (await rows()).map((row) => ({
      ...row,
      body: row.body.replace('"matched":"make"', '"matched":"rm"'),
    }));
    expect((await verify(forged)).faults).toMatchObject([{ reason: "its signature is for another decision" }]);
  });

  it("[GW-10, PL-16] is replaced by no rule", async () => {
    const { session } = await alice.program.must("sessions.create", { agentId: "main" });
    const on = { sessionId: session.id, planApproval: { action: "auto", enabled: true } };
    expect(refusalIn(await alice.program.request("sessions.patch", on as never))).toMatchObject({
      code: "PERMISSION_DENIED",
      said: [{ key: "presenceAuto" }],
    });
  });
});

const REJECT = { action: "reject", feedback: "No.", digest: undefined } as never;
const OTHER = ["PRESENCE_INVALID", "presenceOther"];
const USED = ["PRESENCE_INVALID", "presenceUsed"];

describe("surfaces that cannot give it", () => {
  it("[GW-10] answer with a one-time link to the card", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const { code: found, details } = refusalIn(await decide(alice.program, waiting));
    const link = z.string().parse(details?.["link"]);
    expect(found).toBe("PRESENCE_REQUIRED");
    expect(link).toMatch(new RegExp(`^${originOf(gateway)}/sessions/${waiting.sessionId}#login=[\\w-]{24}$`));
    const logged = await ask(gateway, "/auth/exchange", { body: { code: link.split("#login=")[1] } });
    expect(logged.status).toBe(200);
    expect(logged.body).not.toContain("operator.admin"); // the token's; deciding takes less
    expect((await ask(gateway, "/auth/exchange", { body: { code: link.split("#login=")[1] } })).status).toBe(401);
  });

  it("[GW-10] answer a typed command the same way", async () => {
    const { sessionId, approvalId, digest } = await waitingPlan(gateway, alice);
    const text = `/plan accept ${decisionCode({ approvalId, digest }, 0)}`;
    const sent = await alice.program.request("chat.send", { sessionId, text });
    expect(JSON.stringify(sent)).toContain(`${originOf(gateway)}/sessions/${sessionId}#login=`);
    expect(await facts("plan.decided")).toEqual([]);
  });

  it("[GW-10] answer in a channel with a link that logs nobody in, because others read along", async () => {
    const { sessionId, approvalId, digest } = await waitingPlan(gateway, alice);
    const { store, clock, tokens, logins } = gateway;
    const address = () => ({ origin: "https://gate.example.org", rpId: "localhost" });
    const { port } = openPresence({ store, clock, tokens, logins, address });
    const operator = await tokens.operator(OperatorId.parse(alice.id));
    if (operator === undefined) throw new Error("alice is gone");
    const actor = { kind: "operator" as const, ...operator, surface: "fake" };
    const command = { type: "decide", approval: { action: "approve", approvalId, digest } };
    const asking = createAskingEngine(gateway.engine, port);
    const given = { type: "slice.apply" as const, slice: "planMode", command };
    const inChannel = await asking.dispatch(sessionId, given, { actor, onChannel: true } as Sender);
    expect(inChannel).toMatchObject({
      ok: false,
      refusal: { details: { link: `https://gate.example.org/sessions/${sessionId}` } },
    });
  });

  it("[GW-10] say that a page without a name cannot have passkeys, and who has none", async () => {
    const { sessionId } = await waitingPlan(gateway, alice);
    const secret = await gateway.token(["operator.read", "operator.approvals"], "carol");
    const { wireClient } = await import("../../../test/kit/wire-client.ts");
    const carol = await wireClient({ url: gateway.url, token: secret });
    const waiting = await submitted(gateway, sessionId, { ...BODY, title: "Another" });
    expect(await code(decide(carol, waiting))).toEqual(["PRESENCE_REQUIRED", "presenceNoKey"]);
    carol.close();
    await gateway.close();
    gateway = await servePresence({ store: gateway.inner, pageByAddress: true });
    const again = await wireClient({ url: gateway.url, token: secret });
    expect(await code(decide(again, waiting))).toEqual(["PRESENCE_REQUIRED", "presenceNoName"]);
    again.close();
  });
});

describe("a signature that does not hold", () => {
  it.each([
    ["of another page", { origin: "https://evil.example" }, "presenceOrigin"],
    ["of another port of this machine", { origin: "http://localhost:1" }, "presenceOrigin"],
    ["inside a frame of another page", { crossOrigin: true }, "presenceOrigin"],
    ["for another name", { rpId: "evil.example" }, "presenceOrigin"],
    ["without a check of the person", { userVerified: false }, "presenceUnverified"],
    ["without a touch", { userPresent: false }, "presenceUnverified"],
    ["over other bytes", { breakSignature: true }, "presenceBroken"],
    ["of another kind", { type: "webauthn.create" }, "presenceOther"],
    ["for a challenge that nobody made", { challenge: "A".repeat(43) }, "presenceUsed"],
    ["with a key that nobody knows", { credentialId: "AAAA" }, "presenceForeignKey"],
  ])("[GW-10] %s is refused, recorded, and decides nothing", async (_what, oddity, said) => {
    const waiting = await waitingPlan(gateway, alice);
    expect(await code(approve(alice, waiting, oddity))).toEqual(["PRESENCE_INVALID", said]);
    expect(await facts("plan.decided")).toEqual([]);
    expect(await facts("presence.refused")).toHaveLength(1);
    expect(await approve(alice, waiting)).toMatchObject({ ok: true }); // and hinders nobody
  });

  it("[GW-10] used a second time is refused, with or without the first one's outcome", async () => {
    const [one, two] = [await waitingPlan(gateway, alice), await waitingPlan(gateway, alice)];
    const presence = signed(alice.key, refusalIn(await decide(alice.browser, one)));
    expect(await decide(alice.browser, one, { presence })).toMatchObject({ ok: true });
    expect(await code(decide(alice.browser, one, { presence }))).toEqual(USED);
    expect(await code(decide(alice.browser, two, { presence }))).toEqual(USED);
  });

  it("[GW-10] sent by two tabs at once counts once", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const presence = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    const answers = await Promise.all([1, 2, 3].map(() => decide(alice.browser, waiting, { presence })));
    expect(answers.filter((answer) => answer?.ok === true)).toHaveLength(1);
    expect(await facts("plan.decided")).toHaveLength(1);
  });

  it("[GW-10] for another approval, another digest or another decision is refused", async () => {
    const [one, two] = [await waitingPlan(gateway, alice), await waitingPlan(gateway, alice)];
    const forOne = async (): Promise<ReturnType<typeof signed>> =>
      signed(alice.key, refusalIn(await decide(alice.browser, one)));
    expect(await code(decide(alice.browser, two, { presence: await forOne() }))).toEqual(OTHER);
    expect(await code(decide(alice.browser, one, { action: "edit", presence: await forOne() }))).toEqual(OTHER);
    const presence = await forOne();
    const swapped = await submitted(gateway, one.sessionId, { ...BODY, title: "Something else" });
    expect(await code(decide(alice.browser, swapped, { presence }))).toEqual(OTHER);
    expect(refusalIn(await decide(alice.browser, one, { presence: await forTwo(two) })).code).toBe(
      "APPROVAL_SUPERSEDED",
    );
    expect(await facts("plan.decided")).toEqual([]);
  });

  const forTwo = async (two: Awaited<ReturnType<typeof waitingPlan>>) =>
    signed(alice.key, refusalIn(await decide(alice.browser, two)));

  it("[GW-10] of another person is refused, whoever's challenge it answers", async () => {
    const bob = await person(gateway, "bob", { by: alice });
    const waiting = await waitingPlan(gateway, alice);
    const asked = refusalIn(await decide(alice.browser, waiting));
    const byBob = signed(bob.key, asked);
    expect(await code(decide(alice.browser, waiting, { presence: byBob }))).toEqual([
      "PRESENCE_INVALID",
      "presenceForeignKey",
    ]);
    const own = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    expect(await code(decide(bob.browser, waiting, { presence: own }))).toEqual(USED); // Alice's challenge is not Bob's
    expect(await decide(alice.browser, waiting, { presence: own })).toMatchObject({ ok: true }); // nor his to spend
  });

  it("[GW-10] of a copied key is refused: one of the two has counted further", async () => {
    const copy = alice.key.copy();
    const [one, two] = [await waitingPlan(gateway, alice), await waitingPlan(gateway, alice)];
    expect(await approve(alice, one)).toMatchObject({ ok: true });
    expect(await code(approve({ ...alice, key: copy }, two))).toEqual(["PRESENCE_INVALID", "presenceCounter"]);
  });

  it("[GW-10] of an authenticator that does not count holds each time", async () => {
    const [one, two] = [await waitingPlan(gateway, alice), await waitingPlan(gateway, alice)];
    expect(await approve(alice, one, { counter: 0 })).toMatchObject({ ok: true });
    expect(await approve(alice, two, { counter: 0 })).toMatchObject({ ok: true });
    expect((await verify()).faults).toEqual([]);
  });

  it("[GW-10] that comes too late, or from before the clock was set back, is refused", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const late = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    gateway.clock.advance(CHALLENGE_MS_MAX + 1);
    expect(await code(decide(alice.browser, waiting, { presence: late }))).toEqual(USED);
    const early = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    gateway.clock.advance(-60_000);
    expect(await code(decide(alice.browser, waiting, { presence: early }))).toEqual(USED);
  });

  it("[GW-10] of a key that was revoked meanwhile is refused, and so is one of a revoked operator", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const presence = signed(alice.key, refusalIn(await decide(alice.browser, waiting)));
    await alice.program.must("passkeys.revoke", { credentialId: alice.key.credentialId });
    expect(await code(decide(alice.browser, waiting, { presence }))).toEqual([
      "PRESENCE_INVALID",
      "presenceRevokedKey",
    ]);
    expect(await code(decide(alice.browser, waiting))).toEqual(["PRESENCE_REQUIRED", "presenceNoKey"]);
  });

  it("[GW-10] survives a restart of the gateway between question and answer", async () => {
    const waiting = await waitingPlan(gateway, alice);
    const asked = refusalIn(await decide(alice.browser, waiting));
    await gateway.close();
    const { port } = gateway;
    gateway = await servePresence({ store: gateway.inner, port });
    const operator = await gateway.tokens.operator(OperatorId.parse(alice.id));
    const { logIn } = await import("../../../test/kit/browser-login.ts");
    const { wireClient } = await import("../../../test/kit/wire-client.ts");
    if (operator === undefined) throw new Error("alice is gone");
    const login = (await gateway.logins.link(operator)).fragment.replace("#login=", "");
    const { cookie, tabSecret } = await logIn(gateway, login);
    const browser = await wireClient({ url: gateway.url, tabSecret, headers: { cookie, origin: gateway.url } });
    expect(await decide(browser, waiting, { presence: signed(alice.key, asked) })).toMatchObject({ ok: true });
    browser.close();
  });
});

describe("a passkey", () => {
  it("[GW-10] is added by a one-time link, and that is in the audit log with its public key", async () => {
    const [enrolled] = await facts("passkey.enrolled");
    expect(enrolled?.detail).toMatchObject({
      credentialId: alice.key.credentialId,
      operatorId: alice.id,
      rpId: "localhost",
      origin: originOf(gateway),
      by: alice.id,
    });
    expect(await facts("passkey.linked")).toHaveLength(1);
    const { notes } = await alice.program.must("status", {});
    expect(notes).toEqual([expect.stringMatching(/^A passkey was added for alice within the last day: Test key, /)]);
    expect(await alice.program.must("passkeys.list", {})).toMatchObject({
      passkeys: [{ operatorId: alice.id, name: "Test key", state: "usable", usedAtMs: null }],
    });
  });

  it("[GW-10] takes a passkey of an administrator once there was one, and a token alone adds none", async () => {
    const bob = await person(gateway, "bob", { by: alice, scopes: ["operator.read", "operator.approvals"] });
    const operatorId = OperatorId.parse(bob.id);
    expect(refusalIn(await alice.program.request("passkeys.link", { operatorId })).code).toBe("PRESENCE_REQUIRED");
    expect(refusalIn(await bob.browser.request("passkeys.link", {})).code).toBe("FORBIDDEN");
    for (const { key } of [alice, bob]) await alice.program.must("passkeys.revoke", { credentialId: key.credentialId });
    expect(refusalIn(await alice.program.request("passkeys.link", {}))).toMatchObject({
      code: "PRESENCE_REQUIRED", // revoking every key opens no way round them
      said: [{ key: "presenceNoKey" }],
    });
    expect((await verify()).faults).toEqual([]);
  });

  it("[GW-10] is taken on trust once: links from before the first passkey end with it", async () => {
    await gateway.close();
    gateway = await servePresence();
    const program = await gateway.client();
    const links = [1, 2, 3].map(() => program.must("passkeys.link", {}));
    const [one, two, three] = (await Promise.all(links)).map(({ link }) => link);
    const add = (link = "") => enrol(gateway, { link, key: softwareAuthenticator(originOf(gateway)) });
    const both = await Promise.all([add(one), add(two)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect((await add(three)).status).toBe(403);
    const { passkeys } = await program.must("passkeys.list", {});
    expect(passkeys.filter(({ state }) => state === "usable")).toHaveLength(1);
    program.close();
  });

  it("[GW-10] is made only for whom the link was signed for", async () => {
    const bob = await person(gateway, "bob", { by: alice });
    const asked = refusalIn(await alice.browser.request("passkeys.link", { operatorId: OperatorId.parse(bob.id) }));
    const presence = signed(alice.key, asked);
    expect(refusalIn(await alice.browser.request("passkeys.link", { presence }))).toMatchObject({
      said: [{ key: "presenceOther" }],
    });
  });

  it("[GW-10] of a used, guessed or old link is refused, and two tabs add one", async () => {
    const link = await signedLink(alice, alice.id);
    const keys = [softwareAuthenticator(originOf(gateway)), softwareAuthenticator(originOf(gateway))];
    const both = await Promise.all(keys.map((key) => enrol(gateway, { link, key })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect((await ask(gateway, "/auth/passkey/options", { body: { code: codeIn(link) } })).status).toBe(403);
    const late = await signedLink(alice, alice.id);
    gateway.clock.advance(ENROL_MS_MAX + 1);
    expect((await enrol(gateway, { link: late, key: softwareAuthenticator(originOf(gateway)) })).status).toBe(403);
  });

  it.each([
    ["of another page", { origin: "https://evil.example" }],
    ["for another name", { rpId: "evil.example" }],
    ["without a check of the person", { userVerified: false }],
    ["for another challenge", { challenge: "AAAA" }],
  ])("[GW-10] %s is not taken, and its link is used up", async (_what, oddity) => {
    const link = await signedLink(alice, alice.id);
    const key = softwareAuthenticator(originOf(gateway));
    const refused = await enrol(gateway, { link, key, oddity });
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("enrolRefused")]);
    expect((await enrol(gateway, { link, key })).status).toBe(403);
    expect(await gateway.store.passkeys()).toHaveLength(1);
  });

  it("[GW-10] known here already is not added for somebody else", async () => {
    const bob = await person(gateway, "bob", { by: alice });
    const link = await signedLink(alice, bob.id);
    const again = await enrol(gateway, { link, key: alice.key });
    expect([again.status, again.body]).toEqual([403, expect.stringContaining("known here already")]);
  });

  it("[GW-10] is added by our own page alone", async () => {
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const asked = await ask(gateway, "/auth/passkey/options", { body: { code: "x" }, headers: foreign });
    expect(asked.status).toBe(403);
    expect(asked.body).not.toContain("enrol");
  });

  it("[GW-10] ends with its operator's token", async () => {
    const bob = await person(gateway, "bob", { by: alice });
    await alice.program.must("tokens.revoke", { id: OperatorId.parse(bob.id) });
    const { passkeys } = await alice.program.must("passkeys.list", {});
    const states = Object.fromEntries(passkeys.map(({ operatorId, state }) => [operatorId, state]));
    expect(states).toEqual({ [alice.id]: "usable", [bob.id]: "revoked" });
  });

  it("[GW-10] is seen and revoked by its owner, and by nobody else without operator.admin", async () => {
    const bob = await person(gateway, "bob", { by: alice, scopes: ["operator.read", "operator.approvals"] });
    expect((await bob.browser.must("passkeys.list", {})).passkeys.map(({ operatorId }) => operatorId)).toEqual([
      bob.id,
    ]);
    const others = await bob.browser.request("passkeys.revoke", { credentialId: alice.key.credentialId });
    expect(refusalIn(others).code).toBe("INVALID_REQUEST");
    const own = await bob.browser.must("passkeys.revoke", { credentialId: bob.key.credentialId });
    expect(own.passkey.state).toBe("revoked");
  });
});

it("[GW-10] costs a gateway nothing that sees no signature: the library is loaded with the first", () => {
  const sources = globSync("src/**/*.ts", { cwd: join(import.meta.dirname, "../../..") });
  const eager = sources.filter((path) =>
    /^(?:import|export) .*from "@simplewebauthn\/server"/m.test(
      readFileSync(join(import.meta.dirname, "../../..", path), "utf8"),
    ),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(eager).toEqual([]);
});
