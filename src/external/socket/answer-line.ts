/** What one line on the socket asks for, and who answers it. */
import { z } from "zod";
import {
  CallRequest,
  ExternalPlace,
  PlanRequest,
  ProgressRequest,
  QuestionRequest,
  WaitRequest,
} from "../../protocol/external/decisions.ts";
import { TriedWrite } from "../../plan-mode/protocol/hold.ts";
import type { Decisions } from "../decisions.ts";
import { answerHook } from "../hooks/answer-hook.ts";
import type { Heartbeat } from "../heartbeat/heartbeat.ts";
import { HookLine } from "../hooks/hook-line.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { withProposals } from "../proposal.ts";
import { proposedPlan } from "../proposed-plan.ts";
import { runIdOf } from "../run-id.ts";
import type { DecisionSocket, LineAnswer } from "./decision-socket.ts";

/** `withdraw`: when whoever asked hangs up, the card that they wait for is closed. */
const leaving = { withdraw: z.boolean().optional() };

const PROPOSAL_CHARS_MAX = 2_000;

const SocketLine = z.discriminatedUnion("do", [
  CallRequest.extend({ do: z.literal("call"), ...leaving }),
  PlanRequest.extend({ do: z.literal("plan"), ...leaving }),
  QuestionRequest.extend({ do: z.literal("question"), ...leaving }),
  WaitRequest.extend({ do: z.literal("wait"), ...leaving }),
  ProgressRequest.extend({ do: z.literal("progress") }),
  ExternalPlace.extend({ do: z.literal("follow") }),
  /**
   * A keeper follows the run, and gets a socket that serves this run alone. `proposes`: what people may let it do, now or,
   * with `onRefusal`, once a call of it was refused.
   */
  ExternalPlace.extend({
    do: z.literal("keep"),
    proposes: z.string().max(PROPOSAL_CHARS_MAX).optional(),
    onRefusal: z.boolean().optional(),
  }),
  /** What the kernel refused a kept run; without `tried`: it needs a plan, and nothing can be named. */
  ExternalPlace.extend({
    do: z.literal("tried"),
    proposes: z.string().min(1).max(PROPOSAL_CHARS_MAX),
    tried: TriedWrite.optional(),
  }),
  ExternalPlace.extend({ do: z.literal("ended") }),
  HookLine,
]);
type SocketLine = z.infer<typeof SocketLine>;

/** Opens the socket of one run, in a folder of its own. */
export type OpenRunSocket = (sessionId: SessionId, answer: LineAnswer) => Promise<DecisionSocket | string>;

type Parts = { service: Decisions; openRunSocket: OpenRunSocket; heartbeat?: Pick<Heartbeat, "told"> };

export const createLineAnswer =
  (parts: Parts): LineAnswer =>
  async (line, { signal, write }) => {
    const parsed = SocketLine.safeParse(json(line));
    if (!parsed.success) return write({ error: `Not understood: ${z.prettifyError(parsed.error).slice(0, 500)}` });
    if (parsed.data.do === "keep") return keep(parsed.data, { ...parts, signal, write });
    await answer(parsed.data, { ...parts, signal, write });
  };

/** Whoever is on this socket speaks for one run, whatever names they give. */
const createRunAnswer =
  ({ service, heartbeat }: Hearing, place: ExternalPlace): LineAnswer =>
  async (line, { signal, write }) => {
    const parsed = SocketLine.safeParse(json(line));
    if (!parsed.success) return write({ error: "Not understood." });
    const { data } = parsed;
    if (data.do === "keep" || data.do === "follow" || data.do === "tried" || data.do === "ended")
      return write({ error: "This is not for agents." });
    if (data.do === "hook") {
      return write(
        await answerHook(data, { service, ...hearing({ heartbeat }), place, asking: { signal, withdraw: true } }),
      );
    }
    await answer({ ...data, ...place }, { service, signal, write });
  };

async function keep(
  { do: _do, proposes, onRefusal = false, ...place }: Extract<SocketLine, { do: "keep" }>,
  { service, heartbeat, openRunSocket, signal, write }: Parts & Asked,
): Promise<void> {
  const sessionId = runIdOf(place);
  const own = proposes === undefined ? service : withProposals(service, place, proposes);
  const socket = await openRunSocket(sessionId, createRunAnswer({ service: own, heartbeat }, place));
  if (typeof socket === "string") return write({ error: socket });
  try {
    if (proposes !== undefined && !onRefusal) {
      await service.plan({ ...place, plan: proposedPlan(place, { proposes }) }, { signal });
    }
    const refused = await service.follow(place, write, signal);
    if (refused !== undefined) write({ error: refused.refused.message });
  } finally {
    await socket.close();
  }
}

type Hearing = { service: Decisions; heartbeat: Parts["heartbeat"] };

const hearing = ({ heartbeat }: Pick<Hearing, "heartbeat">): Pick<Parts, "heartbeat"> =>
  heartbeat === undefined ? {} : { heartbeat };

type Asked = { service: Decisions; heartbeat?: Parts["heartbeat"]; signal: AbortSignal; write(answer: object): void };

async function answer(
  line: Exclude<SocketLine, { do: "keep" }>,
  { service, heartbeat, signal, write }: Asked,
): Promise<void> {
  switch (line.do) {
    case "call": {
      const { do: _do, withdraw = false, ...request } = line;
      return write(await service.call(request, { signal, withdraw }));
    }
    case "plan": {
      const { do: _do, withdraw = false, ...request } = line;
      return write(await service.plan(request, { signal, withdraw }));
    }
    case "question": {
      const { do: _do, withdraw = false, ...request } = line;
      return write(await service.question(request, { signal, withdraw }));
    }
    case "wait": {
      const { do: _do, withdraw = false, ...request } = line;
      return write(await service.wait(request, { signal, withdraw }));
    }
    case "progress": {
      const { do: _do, ...request } = line;
      return write(await service.progress(request, { signal }));
    }
    case "hook":
      return write(await answerHook(line, { service, ...hearing({ heartbeat }), asking: { signal, withdraw: true } }));
    case "tried": {
      const { do: _do, ...request } = line;
      await service.tried(request, { signal });
      return write({});
    }
    case "ended": {
      const { do: _do, ...place } = line;
      await service.ended(place);
      return write({});
    }
    case "follow": {
      const { do: _do, ...place } = line;
      const refused = await service.follow(place, write, signal);
      return refused === undefined ? undefined : write({ error: refused.refused.message });
    }
  }
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
