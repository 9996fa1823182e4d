/** A gateway that asks for passkeys, people with software authenticators, and their browsers. */
import { z } from "zod";
import type { Scope } from "../../src/protocol/actor.ts";
import { OperatorId, type SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PresenceResponse } from "../../src/protocol/presence.ts";
import type { Refusal } from "../../src/protocol/refusal.ts";
import { digestOf } from "../../src/plugins/sdk.ts";
import { ask, logIn } from "./browser-login.ts";
import { present, type ServedGateway, serveGateway, type ServedOptions } from "./served-gateway.ts";
import { type Oddity, type SoftwareAuthenticator, softwareAuthenticator } from "./software-authenticator.ts";
import { type WireClient, wireClient } from "./wire-client.ts";

export type PresentPerson = {
  id: string;
  /** By the operator's own token. */
  program: WireClient;
  /** By the log-in of a browser. */
  browser: WireClient;
  key: SoftwareAuthenticator;
};

export const BODY: JsonObject = {
  title: "Paint the shed",
  plan: [
    { step: "buy paint", status: "pending" },
    { step: "paint", status: "pending" },
  ],
};

export const originOf = ({ port }: Pick<ServedGateway, "port">): string => `http://localhost:${port}`;

export const servePresence = (options: ServedOptions = {}): Promise<ServedGateway> =>
  serveGateway({
    planMode: { approvals: { quorum: 1, presence: "passkey" } },
    settings: { allowedHosts: ["localhost"] },
    ...options,
  });

/** `by`: who makes the link, with their passkey; absent: nobody has one yet. */
export async function person(
  gateway: ServedGateway,
  name: string,
  { by, scopes }: { by?: PresentPerson; scopes?: Scope[] } = {},
): Promise<PresentPerson> {
  const secret = await gateway.token(scopes, name);
  const operator = present(await gateway.tokens.authenticate(secret));
  const program = await wireClient({ url: gateway.url, token: secret, name });
  const login = (await gateway.logins.link(operator)).fragment.replace("#login=", "");
  const { cookie, tabSecret } = await logIn(gateway, login);
  const headers = { cookie, origin: gateway.url };
  const browser = await wireClient({ url: gateway.url, tabSecret, headers, name });
  const key = softwareAuthenticator(originOf(gateway));
  const made = { id: operator.id, program, browser, key };
  const link = by === undefined ? await firstLink(program) : await signedLink(by, operator.id);
  const enrolled = await enrol(gateway, { link, key });
  if (enrolled.status !== 200) throw new Error(`not enrolled: ${enrolled.body}`);
  return made;
}

const firstLink = async (admin: WireClient): Promise<string> => (await admin.must("passkeys.link", {})).link;

export async function signedLink(by: PresentPerson, operator: string): Promise<string> {
  const operatorId = OperatorId.parse(operator);
  const asked = await by.browser.request("passkeys.link", { operatorId });
  const presence = signed(by.key, refusalIn(asked));
  return (await by.browser.must("passkeys.link", { operatorId, presence })).link;
}

export const codeIn = (link: string): string => link.split("#passkey=")[1] ?? "";

export async function enrol(
  gateway: ServedGateway,
  { link, key, oddity = {} }: { link: string; key: SoftwareAuthenticator; oddity?: Oddity },
) {
  const code = codeIn(link);
  const options = await ask(gateway, "/auth/passkey/options", { body: { code } });
  if (options.status !== 200) return options;
  const { publicKey } = Options.parse(JSON.parse(options.body));
  const body = { code, name: "Test key", response: key.create(publicKey, oddity) };
  return ask(gateway, "/auth/passkey/enrol", { body });
}

const Options = z.object({ publicKey: z.object({ challenge: z.string(), rp: z.object({ id: z.string() }) }) });

const Asked = z.object({ publicKey: z.object({ challenge: z.string(), rpId: z.string() }) });

export function refusalIn(answer: { ok: boolean; error?: Refusal } | undefined): Refusal {
  if (answer?.ok !== false || answer.error === undefined) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return answer.error;
}

/** What this authenticator gives for the challenge of a refusal. */
export const signed = (key: SoftwareAuthenticator, refusal: Refusal, oddity: Oddity = {}): PresenceResponse =>
  key.get(Asked.parse(refusal.details).publicKey, oddity);

export type Waiting = { sessionId: SessionId; approvalId: string; digest: string };

/** A session in which a plan waits for its approval. */
export async function waitingPlan(gateway: ServedGateway, { program }: PresentPerson): Promise<Waiting> {
  const { session } = await program.must("sessions.create", { agentId: "main" });
  return submitted(gateway, session.id);
}

export async function submitted(gateway: ServedGateway, sessionId: SessionId, body = BODY): Promise<Waiting> {
  const digest = digestOf(body);
  const command = { type: "submit", body, digest };
  const by = { actor: { kind: "agent" as const, sessionId } };
  const outcome = await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
  if (!outcome.ok) throw new Error(`submit was refused: ${outcome.refusal.message}`);
  const { now } = State.parse(outcome.session?.slices["planMode"]);
  return { sessionId, approvalId: now.submission.approvalId, digest };
}

const State = z.object({ now: z.object({ submission: z.object({ approvalId: z.string() }) }) });

export type Verdict = {
  action?: string;
  digest?: string;
  steps?: unknown;
  allowEdits?: boolean;
  overRejection?: number;
  idempotencyKey?: string;
};

/** `sessions.patch {planApproval}` as it goes over the wire, with or without a signature. */
export function decide(
  client: WireClient,
  { sessionId, approvalId, digest }: Waiting,
  { idempotencyKey, presence, ...verdict }: Verdict & { presence?: PresenceResponse | undefined } = {},
) {
  const planApproval = { action: "approve", approvalId, digest, ...verdict };
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const proof = presence === undefined ? {} : { presence };
  return client.request("sessions.patch", { sessionId, ...key, ...proof, planApproval } as never);
}

/** Asked for the passkey, and then signed. */
export async function approve(who: PresentPerson, waiting: Waiting, oddity: Oddity & Verdict = {}) {
  const { action, digest, steps, allowEdits, overRejection, ...odd } = oddity;
  const verdict = Object.fromEntries(
    Object.entries({ action, digest, steps, allowEdits, overRejection }).filter(([, value]) => value !== undefined),
  );
  const refusal = refusalIn(await decide(who.browser, waiting, verdict));
  return decide(who.browser, waiting, { ...verdict, presence: signed(who.key, refusal, odd) });
}
