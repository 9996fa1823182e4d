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
import type { DecisionService } from "../decision-service.ts";
import { answerHook } from "../hooks/answer-hook.ts";
import { HookLine } from "../hooks/hook-line.ts";
import type { LineAnswer } from "./decision-socket.ts";

/** `withdraw`: when whoever asked hangs up, the card that they wait for is closed. */
const leaving = { withdraw: z.boolean().optional() };

export const SocketLine = z.discriminatedUnion("do", [
  CallRequest.extend({ do: z.literal("call"), ...leaving }),
  PlanRequest.extend({ do: z.literal("plan"), ...leaving }),
  QuestionRequest.extend({ do: z.literal("question"), ...leaving }),
  WaitRequest.extend({ do: z.literal("wait"), ...leaving }),
  ProgressRequest.extend({ do: z.literal("progress") }),
  ExternalPlace.extend({ do: z.literal("follow") }),
  HookLine,
]);
export type SocketLine = z.infer<typeof SocketLine>;

export const createLineAnswer =
  (service: DecisionService): LineAnswer =>
  async (line, { signal, write }) => {
    const { data, error } = SocketLine.safeParse(json(line));
    if (data === undefined) return write({ error: `Not understood: ${z.prettifyError(error).slice(0, 500)}` });
    await answer(data, { service, signal, write });
  };

type Asked = { service: DecisionService; signal: AbortSignal; write(answer: object): void };

async function answer(line: SocketLine, { service, signal, write }: Asked): Promise<void> {
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
      return write(await answerHook(line, { service, asking: { signal, withdraw: true } }));
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
