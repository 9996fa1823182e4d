/** `plans.templates` and `plans.seed`: what skills offer for plans, and a person's choice among it. */
import { z } from "zod";
import { Json } from "../../protocol/json.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { PLAN_METHODS } from "../protocol/plan-methods.ts";
import { PlanModeState } from "../protocol/state.ts";
import { Archetype } from "../protocol/template/archetype.ts";
import { refuse } from "../protocol/refuse.ts";
import { INITIAL } from "../machine/evolve.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import type { Answers, ReadSession } from "../../plugins/sdk.ts";
import type { FindTemplates } from "../seeding/find-templates.ts";

type TemplateMethods = Pick<Answers<typeof PLAN_METHODS>, "plans.templates" | "plans.seed">;

const NO_SESSION = refuse("SESSION_NOT_FOUND", "There is no such session.");

export const Seeded = z.object({ skill: z.string(), steps: z.int() });

export function templateMethods(read: ReadSession, find: FindTemplates = async () => []): TemplateMethods {
  return {
    async "plans.templates"({ sessionId }) {
      const session = await read(sessionId);
      if (session === undefined) return NO_SESSION;
      const { now } = PlanModeState.parse(session.slices[PLAN_MODE_SLICE] ?? INITIAL);
      const { archetype = null, seed = null } = now.phase === "off" ? {} : now.cycle;
      return { templates: [...(await find(session))], archetypes: Archetype.options, archetype, seed };
    },
    async "plans.seed"({ sessionId, skill }, call) {
      const session = await read(sessionId);
      if (session === undefined) return NO_SESSION;
      const command = { type: "seed", skill, templates: Json.parse(await find(session)) };
      const outcome = await call.apply(SessionId.parse(sessionId), { slice: PLAN_MODE_SLICE, command });
      return outcome.ok ? Seeded.parse(outcome.reply) : { refused: outcome.refusal };
    },
  };
}
