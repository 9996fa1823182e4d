/** `holdpoint plan write`: a person's own plan for an agent outside, from a file or from what is piped in. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { WRITTEN_CHARS_MAX } from "../../../plan-mode/protocol/command.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../context.ts";
import { withGateway } from "../../gateway-link.ts";
import { type OnSession, sessionOf } from "./plan.ts";

export async function writePlan(
  file: string | undefined,
  { title, ...options }: OnSession & { title?: string },
  context: CommandContext,
): Promise<void> {
  const { output, env } = context;
  const text = await written(file, context);
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    const planText = { text, ...(title === undefined ? {} : { title }) };
    const { reply } = await link.call("sessions.patch", { sessionId, planText });
    output.document({ sessionId, reply: reply ?? null });
    output.lines([`The plan waits in ${sessionId}. Read it with: holdpoint plan show --session ${sessionId}`]);
  });
}

async function written(file: string | undefined, { stdin, cwd }: CommandContext): Promise<string> {
  const text = (file === undefined || file === "-" ? await readAll(stdin) : await fileAt(resolve(cwd, file))).trim();
  if (text !== "" && text.length <= WRITTEN_CHARS_MAX) return text;
  const message = text === "" ? "The plan is empty." : `A plan may hold ${WRITTEN_CHARS_MAX} characters.`;
  throw new CliError({ exit: "usage", message, advice: "Write one step per line.", code: "USAGE" });
}

const fileAt = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((cause: unknown) => {
    throw new CliError({ exit: "usage", message: `${path} cannot be read.`, code: "USAGE", cause });
  });
