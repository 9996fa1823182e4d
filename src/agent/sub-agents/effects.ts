/** What follows from the facts of a session about its sub-agents: orders to them, returns for the agent, audit facts. */
import type { SubAgentFact } from "./protocol/facts.ts";
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { type Child, RETURN_KIND, returnId, type SubAgentsEvent, type SubAgentsState } from "./protocol/sub-agents.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { returnText, taskText } from "./texts.ts";

/** Orders to children leave with the commit that decided them; what a child brings back wakes its parent. */
export function effects({ children }: SubAgentsState, event: SubAgentsEvent): Effect[] {
  const { childId } = event;
  const child = children.find((item) => item.id === childId);
  switch (event.type) {
    case "child.spawned": {
      const { title, task, messageId, replaces } = event;
      return [
        { kind: "start-child", childId, title, messageId, text: taskText(task), ...orderOf(child) },
        audit(event.type, { childId, title, ...(replaces === undefined ? {} : { replaces }) }),
      ];
    }
    case "child.sent":
      return [{ kind: "tell-child", childId, messageId: event.messageId, text: event.text, ...orderOf(child) }];
    case "child.stopping":
      return [{ kind: "stop-child", childId, ...orderOf(child) }];
    case "child.resumed":
      return [];
    case "child.ended": {
      const { outcome, text, stamp } = event;
      return [
        {
          kind: "inject",
          injection: {
            id: returnId(childId, stamp),
            kind: RETURN_KIND,
            text: returnText({ id: childId, title: child?.title ?? "" }, { outcome, text }),
            priority: INJECTION_PRIORITIES.subagent_return,
          },
        },
        {
          kind: "request-turn",
          cause: "subagent.returned",
          attended: child?.attended === true,
          continues: true,
          ...(child?.lent === true ? { lent: true } : {}),
        },
        audit(event.type, { childId, outcome }),
      ];
    }
    default:
      return never(event);
  }
}

const orderOf = (child: Child | undefined): { order?: number } =>
  child?.order === undefined ? {} : { order: child.order };

const audit = (type: SubAgentFact, detail: JsonObject): Effect => ({ kind: "audit", fact: { type, detail } });
