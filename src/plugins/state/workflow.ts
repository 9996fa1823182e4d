/** What a plugin orders for an agent, outside of its commands. Each order needs what the manifest asked the operator for. */
import { SessionId } from "../../protocol/ids.ts";
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import { lines, noticeOf, localized } from "../../protocol/localized/localized-text.ts";
import { defuse, defuseLine } from "../../core/text/defuse.ts";
import type { SessionAttachment, SessionWorkflow } from "../api/workflow.ts";
import { PluginError } from "../plugin-error.ts";
import type { PluginScheduler } from "../plugin-runtime.ts";
import { enqueueInjection, refused, sessionOf, type StateParts } from "./session-state.ts";

/** A notice holds it together with its head line. */
const ATTACHMENT_CHARS_MAX = 15_000;
const NAME_CHARS_MAX = 200;

export type WorkflowParts = StateParts & {
  /** Throws when the operator was not asked for it. */
  demand(need: PluginNeed): void;
  scheduler(): PluginScheduler;
};

export function createWorkflow(parts: WorkflowParts): SessionWorkflow {
  const { pluginId, demand } = parts;
  const may = (need: PluginNeed): void => {
    demand(need);
    parts.mayChange();
  };
  return {
    async enqueueNextTurnInjection(injection) {
      may("injections");
      await sessionOf(injection.sessionKey, parts);
      return enqueueInjection(injection, parts);
    },
    async scheduleSessionTurn(turn) {
      may("schedule");
      await sessionOf(turn.sessionKey, parts);
      return parts.scheduler().schedule(pluginId, turn);
    },
    async unscheduleSessionTurnsByTag(order) {
      may("schedule");
      return parts.scheduler().unscheduleByTag(pluginId, order);
    },
    async sendSessionAttachment(attachment) {
      may("attachments");
      return send(attachment, parts);
    },
  };
}

/** As a line in the transcript that people read; the model does not see it. */
async function send(attachment: SessionAttachment, parts: WorkflowParts): Promise<{ sent: boolean }> {
  const { sessionKey, fileName, mediaType, text } = attachment;
  const { pluginId } = parts;
  if (text.length > ATTACHMENT_CHARS_MAX) {
    const message = `An attachment may hold ${ATTACHMENT_CHARS_MAX} characters; ${fileName} has ${text.length}.`;
    throw new PluginError({ problem: "invalid", pluginId }, message);
  }
  await sessionOf(sessionKey, parts);
  const [file, type] = [defuseLine(fileName, NAME_CHARS_MAX), defuseLine(mediaType, NAME_CHARS_MAX)];
  const words = lines([localized("pluginSent", { plugin: pluginId, file, type }), "", defuse(text)]);
  const command = { type: "notice.add", ...noticeOf(words) } as const;
  const actor = { kind: "system", reason: pluginSlice(pluginId) } as const;
  const outcome = await parts.sessions().dispatch(SessionId.parse(sessionKey), command, { actor });
  if (!outcome.ok) throw refused(pluginId, outcome);
  return { sent: true };
}
