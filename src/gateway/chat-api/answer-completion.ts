/** One completion: a message for a session, and the agent's words as its answer, whole or as they come. */
import { randomUUID } from "node:crypto";
import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../http/feed.ts";
import type { HttpAnswer } from "../../http/http-route.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import type { OperatorActor } from "../../plugins/api/controls.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Refusal, Refused } from "../../protocol/refusal.ts";
import { type CompletionRequest, completionRequest } from "./completion-request.ts";
import { type Following, followTurn } from "./follow-turn.ts";

export type AnswerParts = {
  engine: Pick<Engine, "session" | "waiting">;
  feed: Pick<Feed, "subscribe">;
  inbound: Pick<Inbound, "open" | "send">;
  now(): number;
  /** Where a person decides what waits in the session. */
  review(sessionId: SessionId): string;
};

type Asked = { body: unknown; named: string | undefined; actor: OperatorActor };

const TITLE_CHARS = 80;

export async function answerCompletion({ body, named, actor }: Asked, parts: AnswerParts): Promise<HttpAnswer> {
  const wanted = completionRequest(body, { goesOn: named !== undefined });
  if (typeof wanted === "string") return problem(400, wanted);
  const sessionId = await sessionOf(named, { wanted, actor, parts });
  if (typeof sessionId !== "string") return refused(sessionId.refused);
  const following = followTurn(sessionId, parts);
  const sent = await parts.inbound.send({ sessionId, text: wanted.text }, { actor }).catch((error: unknown) => {
    following.stop();
    throw error;
  });
  if ("refused" in sent) {
    following.stop();
    return refused(sent.refused);
  }
  const frame = frameOf(wanted.agentId, parts.now());
  const words = { following, sessionId, parts };
  const headers = { "holdpoint-session": sessionId };
  if (wanted.isStream)
    return { status: 200, body: "", stream: streamed(frame, words), headers: { ...headers, ...SSE } };
  return whole(frame, words, headers);
}

const SSE = { "content-type": "text/event-stream; charset=utf-8" };

async function sessionOf(
  named: string | undefined,
  { wanted, actor, parts }: { wanted: CompletionRequest; actor: OperatorActor; parts: AnswerParts },
): Promise<SessionId | Refused> {
  if (named !== undefined) {
    const known = SessionId.safeParse(named);
    const session = known.success ? await parts.engine.session(known.data) : undefined;
    return session === undefined ? { refused: NO_SUCH } : session.id;
  }
  const title = wanted.text.split("\n").at(-1)?.slice(0, TITLE_CHARS) ?? "";
  const opened = await parts.inbound.open({ agentId: wanted.agentId, title }, { actor });
  if (!opened.ok) return { refused: opened.refusal };
  return opened.session === undefined ? { refused: NO_SUCH } : opened.session.id;
}

const NO_SUCH: Refusal = { code: "SESSION_NOT_FOUND", message: "There is no such session.", retry: false };

type Words = { following: Following; sessionId: SessionId; parts: AnswerParts };

/** What the agent says, and in the end that something waits for a person. A turn that failed says why. */
async function* wordsOf({ following, sessionId, parts }: Words): AsyncGenerator<string> {
  for await (const piece of following.pieces)
    yield "text" in piece ? piece.text : `[The turn failed: ${piece.failed}]\n\n`;
  const session = await parts.engine.session(sessionId);
  const waiting = session === undefined ? null : parts.engine.waiting(session);
  if (waiting !== null) yield `[Waits for a person (${waiting.kind}): ${parts.review(sessionId)}]`;
}

type Frame = { id: string; created: number; model: string };
const frameOf = (model: string, nowMs: number): Frame => ({
  id: `chatcmpl-${randomUUID()}`,
  created: Math.floor(nowMs / 1_000),
  model,
});

async function whole(frame: Frame, words: Words, headers: Record<string, string>): Promise<HttpAnswer> {
  let content = "";
  for await (const text of wordsOf(words)) content += text;
  const message = { role: "assistant", content: content.trimEnd() };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  return { status: 200, body: JSON.stringify({ ...frame, object: "chat.completion", choices }), headers };
}

async function* streamed(frame: Frame, words: Words): AsyncGenerator<string> {
  const chunk = (delta: object, finish: string | null): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices })}\n\n`;
  };
  yield chunk({ role: "assistant", content: "" }, null);
  for await (const content of wordsOf(words)) if (content !== "") yield chunk({ content }, null);
  yield chunk({}, "stop");
  yield "data: [DONE]\n\n";
}

const STATUS: Readonly<Record<string, number>> = { SESSION_NOT_FOUND: 404, FORBIDDEN: 403, RATE_LIMITED: 429 };

const refused = ({ code, message, retry }: Refusal): HttpAnswer =>
  problem(retry === true ? 503 : (STATUS[code] ?? 400), message);

const problem = (status: number, message: string): HttpAnswer => ({
  status,
  body: JSON.stringify({ error: { message, type: status < 500 ? "invalid_request_error" : "server_error" } }),
});
