/** The tool read_skill: the one way to the text of skills, which may lie outside the file tools' reach. */
import { z } from "zod";
import type { ReadTool } from "../../plugins/sdk.ts";
import type { Sessions } from "../../plugins/sessions.ts";
import type { ContextFiles } from "./context-files.ts";

const input = z.strictObject({ name: z.string().min(1).max(64).describe("The name of the skill, as it is listed.") });

export type ReadSkillParts = {
  context: ContextFiles;
  sessions: Pick<Sessions, "session">;
  warn(sessionId: string, warning: string): void;
};

export function createReadSkill({ context, sessions, warn }: ReadSkillParts): ReadTool<z.infer<typeof input>> {
  return {
    name: "read_skill",
    description: "Read one of the skills that are listed: instructions that people wrote for a kind of work.",
    input,
    kind: "read_only",
    effect: "read",
    async run({ name }, { sessionId }) {
      const session = await sessions.session(sessionId);
      const skill = session === undefined ? undefined : await context.skill(session, name);
      if (skill === undefined)
        return { status: "error", content: `There is no skill "${name}". Use a name from the list.` };
      for (const warning of skill.warnings) warn(sessionId, warning.text);
      return { status: "ok", content: { name, text: skill.text } };
    },
  };
}
