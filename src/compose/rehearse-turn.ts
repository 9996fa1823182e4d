/**
 * Schemas compile themselves and the parts of a prompt are put together when they are first used. So that this does not
 * fall on the first person who writes after a start, a session that is never stored goes through the machine up to its
 * first request, which nobody is sent; in pieces, between which other work is done.
 */
import { setImmediate as otherWork } from "node:timers/promises";
import { roomFor } from "../agent/compaction/room.ts";
import type { PromptSource } from "../agent/prompt/prompt-source.ts";
import { step } from "../core/step.ts";
import { FRESH_STRINGS } from "../core/slice.ts";
import { createFreshStrings } from "../engine/fresh-strings.ts";
import type { Models } from "../gateway/choose-model.ts";
import { MessageId, SessionId } from "../protocol/ids.ts";
import type { Session, SessionCommand } from "../protocol/session.ts";
import type { Toolbox } from "../tools/call-tool.ts";
import type { ComposedEngine } from "./engine.ts";
import type { State } from "./state.ts";

const SESSION_ID = SessionId.parse("ses_rehearsal");
const LEASE_MS = 1_000;

export type RehearsalParts = {
  machine: Pick<ComposedEngine, "engine" | "settingsFor">;
  models: Pick<Models, "modelFor">;
  prompt: PromptSource;
  tools: Pick<Toolbox, "catalog" | "surface">;
};

export async function rehearseTurn({ clock, options }: State, parts: RehearsalParts): Promise<void> {
  const place = { agentId: "main", kind: "chat", surface: "web", workspace: options.workspace, title: "" } as const;
  let session: Session | undefined;
  const fresh = createFreshStrings();
  async function goes(command: SessionCommand): Promise<void> {
    await otherWork();
    const context = {
      nowMs: clock.now(),
      actor: { kind: "system", reason: "rehearsal" } as const,
      fresh: Array.from({ length: FRESH_STRINGS }, fresh),
      settings: parts.machine.settingsFor(place),
    };
    const answer = step(session, command, { context, slices: parts.machine.engine.slices });
    if (!("refused" in answer)) session = answer.session;
  }
  await goes({ type: "session.create", sessionId: SESSION_ID, ...place });
  await goes({ type: "message.send", messageId: MessageId.parse("msg_rehearsal"), text: "-" });
  const turn = session?.turn;
  if (turn?.status !== "requested") return;
  const leaseUntilMs = clock.now() + LEASE_MS;
  await goes({ type: "turn.start", turnId: turn.turnId, node: "rehearsal", leaseUntilMs, sole: true });
  if (session !== undefined) await requestOf(session, parts);
}

/** `catalog`: what plugins show instead is chosen for real turns alone. */
async function requestOf(session: Session, { machine, models, prompt, tools }: RehearsalParts): Promise<void> {
  await tools.surface(session, "catalog");
  await otherWork();
  const asked = models.modelFor(session);
  roomFor(asked, machine.settingsFor(session));
  await otherWork();
  tools.catalog(session);
  const modelId = asked[0]?.id ?? "";
  const opened = await prompt.open(session, modelId);
  await otherWork();
  opened.system(session, modelId);
}
