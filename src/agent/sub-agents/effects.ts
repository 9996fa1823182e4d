import type { FactType } from "../../protocol/localized/fact-types.ts";
import { INJECTION_PRIORITIES } from "../../protocol/injection.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { SubAgentsEvent, SubAgentsState } from "./protocol/sub-agents.ts";
import { type Effect, never } from "../../plugins/sdk.ts";
import { returnText, taskText } from "./texts.ts";

/** Orders to children leave with the commit that decided them; what a child brings back wakes its parent. */
export function effects({ children }: SubAgentsState, event: SubAgentsEvent): Effect[] {
  const { childId } = event;
  switch (event.type) {
    case "child.spawned": {
      const { title, task, messageId, replaces } = event;
      const stop: Effect[] = replaces === undefined ? [] : [{ kind: "stop-child", childId: replaces }];
      return [
        ...stop,
        { kind: "start-child", childId, title, messageId, text: taskText(task) },
        audit(event.type, { childId, title, ...(replaces === undefined ? {} : { replaces }) }),
      ];
    }
    case "child.sent":
      return [{ kind: "tell-child", childId, messageId: event.messageId, text: event.text }];
    case "child.resumed":
      return [];
    case "child.ended": {
      const child = children.find((item) => item.id === childId);
      const { outcome, text, stamp } = event;
      return [
        {
          kind: "inject",
          injection: {
            id: `subagent-return:${childId}:${stamp}`,
            kind: "subagent_return",
            text: returnText({ id: childId, title: child?.title ?? "" }, { outcome, text }),
            priority: INJECTION_PRIORITIES.subagent_return,
          },
        },
        { kind: "request-turn", cause: "subagent.returned", attended: child?.attended === true, continues: true },
        audit(event.type, { childId, outcome }),
      ];
    }
    default:
      return never(event);
  }
}

const audit = (type: FactType, detail: JsonObject): Effect => ({ kind: "audit", fact: { type, detail } });
