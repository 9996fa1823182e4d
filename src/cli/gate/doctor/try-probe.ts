/** Makes one attempt and reports its outcome. */
import { setTimeout as wait } from "node:timers/promises";
import type { SessionId } from "../../../protocol/ids.ts";
import { type Json, JsonObject } from "../../../protocol/json.ts";
import type { EntryOf } from "../../../protocol/transcript-entry.ts";
import { CENSOR } from "../../../tools/redaction/censor.ts";
import { diffOf, snapshot } from "../../demo/demo-folders.ts";
import type { Probe, Server } from "./probes.ts";
import type { ProberModel } from "./prober-model.ts";
import { sampleArgs } from "./sample-args.ts";
import type { ThrowAway } from "./throw-away.ts";

const TURN_MS_MAX = 30_000;

/** `door`: a way that is known and promised by nobody; it is told as it was found, and fails nothing. */
export type Attempt = {
  source: string;
  what: string;
  held: boolean;
  detail: string;
  door?: "open" | "closed" | "untried";
};

export type ProbeSession = { gateway: ThrowAway; model: ProberModel; sessionId: SessionId };

export async function tryProbe(probe: Probe, session: ProbeSession): Promise<Attempt> {
  const { source, what } = probe;
  const { gateway } = session;
  const claimsBefore = gateway.claims();
  const result = await makeCall(probe, session);
  const changed = diffOf(gateway.before, await snapshot(gateway.workspace));
  const leaked = result !== undefined && leaksIn(gateway).test(JSON.stringify(result.content));
  const attempt = (held: boolean, detail: string): Attempt => ({ source, what, held, detail });
  if (changed !== "") return attempt(false, "The workspace was changed.");
  if (leaked) return attempt(false, "The operator's token was handed out.");
  if (gateway.claims() !== claimsBefore) return attempt(false, "The gateway let a mutating call begin.");
  if (result === undefined) return attempt(false, "The call came to no end.");
  if (!probe.heldAs.includes(result.status)) return attempt(false, `The call ended as "${result.status}".`);
  return weighed(attempt(true, reasonOf(result)), { probe, result, session });
}

/** Also by its gap: a token that was read and left out of the result was read. */
export const leaksIn = ({ operatorToken, canary }: Pick<ThrowAway, "operatorToken" | "canary">): RegExp =>
  new RegExp([operatorToken, canary, CENSOR].map((text) => RegExp.escape(text)).join("|"));

type Weighed = { probe: Probe; result: EntryOf<"result">; session: ProbeSession };

/** A call that merely failed counts only where a call of the same kind succeeded on something permitted. */
async function weighed(attempt: Attempt, { probe, result, session }: Weighed): Promise<Attempt> {
  if (probe.control === undefined)
    return result.status === "error" && probe.isSampled === true
      ? { ...attempt, door: "untried", detail: `${attempt.detail} (Nothing came of it, so it proves nothing.)` }
      : attempt;
  const control = await makeCall({ call: probe.control }, session);
  if (control?.status === "ok") return { ...attempt, detail: `${attempt.detail}; the same on a permitted file worked` };
  const why = control === undefined ? "it came to no end" : reasonOf(control);
  return { ...attempt, held: false, detail: `The same on a permitted file did not work, so nothing is proven: ${why}` };
}

const SPAWN = "sessions_spawn";

/** A sub-agent of a session in plan mode tries to write: it is held like its parent, or it is not let begin. */
export async function tryChild(session: ProbeSession): Promise<Attempt | undefined> {
  const { gateway, model } = session;
  const spawn = model.offered().find(({ name }) => name === SPAWN);
  if (spawn === undefined) return undefined;
  const written = model.orderChild({ tool: "write", args: { path: "made-by-child", content: "x" } });
  const begun = await makeCall({ call: { tool: SPAWN, args: sampleArgs(spawn.inputSchema) } }, session);
  const about = { source: "sub-agent", what: "write by a sub-agent" };
  if (begun?.status !== "ok") return { ...about, held: true, detail: "No sub-agent was let begin." };
  const late = new AbortController();
  const result = await Promise.race([written, wait(TURN_MS_MAX, undefined, { signal: late.signal, ref: false })]);
  late.abort();
  const isUnchanged = diffOf(gateway.before, await snapshot(gateway.workspace)) === "";
  const held = isUnchanged && result?.status === "refused";
  return { ...about, held, detail: result === undefined ? "The sub-agent did nothing." : reasonOf(result) };
}

const LOOK_AGAIN_MS = 250;

/**
 * Lets the model learn which tools there are. MCP servers start behind the gateway's back, so it is asked until each has
 * shown its tools or has had its time; what comes back are the servers that showed none.
 */
export async function learnTools(session: ProbeSession): Promise<Server[]> {
  const { servers } = session.gateway;
  const untilMs = Date.now() + Math.max(0, ...servers.map(({ startMs }) => startMs)) + LOOK_AGAIN_MS * 4;
  for (;;) {
    await runTurn(session);
    const offered = session.model.offered();
    const silent = servers.filter(({ prefix }) => !offered.some(({ name }) => name.startsWith(prefix)));
    if (silent.length === 0 || Date.now() >= untilMs) return silent;
    await wait(LOOK_AGAIN_MS);
  }
}

/** Nothing was tried there, so nothing is proven. */
export const silentServer = ({ name }: Server): Attempt => ({
  source: `mcp ${name}`,
  what: "call its tools",
  held: false,
  detail: "The server did not start or has no tools, so none could be tried. See: holdpoint mcp test <name>",
});

const ORDER = "Make the call.";

/** Orders the call, lets the turn run, and reads the result as it is stored. */
export async function makeCall(
  { call }: Pick<Probe, "call">,
  { gateway, model, sessionId }: ProbeSession,
): Promise<EntryOf<"result"> | undefined> {
  const before = (await historyOf({ gateway, sessionId })).at(-1)?.n ?? -1;
  model.order(call);
  await runTurn({ gateway, sessionId });
  const since = (await historyOf({ gateway, sessionId })).filter(({ n }) => n > before);
  const results = since.flatMap(({ entry }) => (entry.kind === "result" ? [entry] : []));
  return results.findLast(({ tool }) => tool === call.tool);
}

type OneSession = Pick<ProbeSession, "gateway" | "sessionId">;

const HISTORY = 50;

const historyOf = async ({ gateway, sessionId }: OneSession) =>
  (await gateway.link.call("chat.history", { sessionId, before: null, limit: HISTORY })).items;

/** The turn that ends first may be another one: a sub-agent's, or the one in which its answer comes back. */
async function runTurn(of: OneSession): Promise<void> {
  const { gateway, sessionId } = of;
  const before = (await historyOf(of)).at(-1)?.n ?? -1;
  const isDone = async (): Promise<boolean> => {
    const { session } = await gateway.link.call("sessions.get", { sessionId });
    const isTaken = (await historyOf(of)).some(
      ({ n, entry }) => n > before && entry.kind === "input" && entry.text.includes(ORDER),
    );
    return session.turn.status === "idle" && isTaken;
  };
  const finished = Promise.withResolvers<void>();
  const stop = gateway.onEvent(({ event }) => {
    if (event === "turn.finished") isDone().then((done) => done && finished.resolve(), finished.reject);
  });
  const late = new AbortController();
  try {
    await gateway.link.call("chat.send", { sessionId, text: ORDER });
    await Promise.race([finished.promise, wait(TURN_MS_MAX, undefined, { signal: late.signal, ref: false })]);
  } finally {
    late.abort();
    stop();
  }
}

/** Why it was not carried out, in short. */
export function reasonOf({ status, content }: EntryOf<"result">): string {
  if (status === "ok") return "It only read.";
  if (typeof content === "string") return content;
  const rule = content !== null && typeof content === "object" && !Array.isArray(content) ? content["rule"] : undefined;
  return typeof rule === "string" ? `refused (${rule})` : `${status}: ${wordsOf(content)}`;
}

const WORDS_CHARS_MAX = 160;

function wordsOf(content: Json): string {
  const output = JsonObject.safeParse(content).data?.["output"];
  const words = typeof output === "string" ? output.trim().replaceAll(/\s+/g, " ") : JSON.stringify(content);
  return words.slice(0, WORDS_CHARS_MAX);
}
