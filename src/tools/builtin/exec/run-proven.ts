/** A command that is proven to read: its canonical form, exactly the environment that the proof asks for (GA-06). */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { CommandProcess, ReadOnlyCommand } from "../../../plugins/command-judge.ts";
import type { ToolOutput } from "../../../plugins/tool.ts";
import { systemPrograms } from "../../../runner/system-programs.ts";
import { runChild } from "../child-process.ts";
import { createOutputWindow } from "../output-window.ts";
import { bareWords } from "./bare-words.ts";
import { toOutput, watched } from "./command-output.ts";
import { enclose, readersView } from "./enclosed-command.ts";
import type { Job } from "./exec-parts.ts";

const QUESTION_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 65_536;
/** `git config` answers 1 when there is no such setting: then there is nothing to switch off. */
const NONE_FOUND = 1;

type Proven = { verdict: ReadOnlyCommand; given: string; timeoutSeconds: number };

export async function runProven({ verdict, given, timeoutSeconds }: Proven, job: Job): Promise<ToolOutput> {
  const { context, parts, hidden } = job;
  const isSandboxed = parts.settings().sandbox !== "none";
  if (!isSandboxed && namesOne(verdict.canonical, hidden)) return { status: "error", content: GATEWAYS_OWN };
  const also = isSandboxed ? [] : (verdict.questionsWithoutSandbox ?? []);
  const answers = await askAll([...verdict.questions, ...also], job);
  if (answers === undefined) return { status: "error", content: UNANSWERED };
  const process = verdict.toProcess(answers, isSandboxed ? undefined : bareWords(job));
  if ("refused" in process) return { status: "error", content: `Not run: ${process.refused}` };
  const ready = await enclosed(process, job);
  if ("refused" in ready) return { status: "error", content: ready.refused };
  const output = createOutputWindow();
  const end = await runChild({
    ...ready,
    signal: context.signal,
    timeoutMs: timeoutSeconds * 1_000,
    clock: parts.clock,
    onOutput: watched(output, context),
  });
  const ran = process.canonical === given.trim() ? {} : { ran: process.canonical };
  return toOutput(end, { output: output.text(), timeoutSeconds, also: ran });
}

const GATEWAYS_OWN = "Not run: the command names a folder that belongs to the gateway. Leave it out.";
const UNANSWERED = "Not run: the filters of the git repository could not be read, so they cannot be switched off.";

/** The gateway's environment and open files can be read through its process. */
const PROCESSES = "/proc";

/** Without a sandbox nothing can be hidden: a command that names one of these is refused before its words are looked up. */
const namesOne = (canonical: string, folders: readonly string[]): boolean =>
  canonical.includes(PROCESSES) ||
  folders.some((folder) => canonical.includes(folder) || canonical.includes(basename(folder)));

/** The program itself, and all that it finds by name, come from the system's own folders. */
function started({ argv, cwd, env }: CommandProcess) {
  const [name = "bash", ...args] = argv;
  const programs = systemPrograms();
  return { file: programs.find(name) ?? `/usr/bin/${name}`, args, cwd, env: { ...env, PATH: programs.path } };
}

/** The same in its read-only view, or as it is where a person decided to go without one. */
async function enclosed(process: CommandProcess, job: Job) {
  const { file, args, cwd, env } = started(process);
  const enclosure = await enclose(readersView, { cwd, argv: [file, ...args] }, job);
  if (enclosure.kind === "refused") return { refused: enclosure.why };
  return enclosure.kind === "bare" ? { file, args, cwd, env } : { ...enclosure.process, cwd, env };
}

async function askAll(questions: readonly CommandProcess[], job: Job): Promise<string[] | undefined> {
  const answers = await Promise.all(questions.map((question) => ask(question, job)));
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

/** Undefined when the answer is not certain. A folder that does not exist has no filters. */
async function ask(question: CommandProcess, job: Job): Promise<string | undefined> {
  const { context, parts } = job;
  if (!(await isFolder(question.cwd))) return "";
  const ready = await enclosed(question, job);
  if ("refused" in ready) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = await runChild({
    ...ready,
    signal: context.signal,
    timeoutMs: QUESTION_MS_MAX,
    clock: parts.clock,
    onOutput(chunk, stream) {
      if (stream === "out") chunks.push(chunk);
      bytes += chunk.length;
      return bytes > ANSWER_BYTES_MAX ? "enough" : "more";
    },
  });
  if (end.ended !== "exit" || end.code > NONE_FOUND) return undefined;
  return Buffer.concat(chunks).toString();
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
