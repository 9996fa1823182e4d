/** Gives the scheduler of a session a command in the gateway's own name. */
import { z } from "zod";
import type { SessionId } from "../protocol/ids.ts";
import { SCHEDULER_SLICE, type SchedulerCommand } from "./protocol/schedule.ts";
import { INSIDE } from "./machine/actors.ts";
import type { Outcome, SchedulerPorts } from "./ports.ts";

export const applyInside = (
  sessionId: SessionId,
  command: SchedulerCommand,
  { sessions }: Pick<SchedulerPorts, "sessions">,
): Promise<Outcome> =>
  sessions.dispatch(
    sessionId,
    { type: "slice.apply", slice: SCHEDULER_SLICE, command: z.record(z.string(), z.json()).parse(command) },
    { actor: INSIDE },
  );
