/** The port to the skills of a session, whose templates plan mode begins drafts with. */
import type { PluginSession } from "../../plugins/sdk.ts";
import type { SkillTemplate } from "../protocol/template/skill-template.ts";

/** Where a session's skills are looked for; `id`, so that a turn that is about to begin is looked for once. */
export type TemplatePlace = Pick<PluginSession, "id" | "agentId" | "workspace" | "rooted">;

/** None where skills are not listed for the agent. A skill that has not changed is not read again. */
export type FindTemplates = (place: TemplatePlace) => Promise<readonly SkillTemplate[]>;
