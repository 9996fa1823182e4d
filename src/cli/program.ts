/** argv → command. Each command's code is loaded when it is called: asking for help costs nothing else. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { asCliError, CliError, exitCodeOf } from "./cli-error.ts";
import { EXIT_CODES, exitCodeLines } from "./exit-codes.ts";
import { createOutput, type Streams } from "./output.ts";
import { ownWords } from "./own-words.ts";
import type { CommandContext } from "./context.ts";
import type { StartOptions } from "./commands/start.ts";
import type { ChatOptions } from "./commands/chat.ts";
import type { UpdateOptions } from "./update/update.ts";
import type { VerifyOptions } from "./commands/audit.ts";
import type { Accept, OnSession } from "./commands/plan/plan.ts";
import type { DoctorFix } from "./commands/doctor.ts";
import type { DoctorOptions } from "./gate/commands/gate-doctor.ts";
import type { SessionListOptions } from "./commands/sessions.ts";
import { addLibrary } from "./library/library-program.ts";
import { addScenarioCommands, addSelfTest } from "./scenario/scenario-program.ts";
import { addReview } from "./review-program.ts";
import { addChangeCommands } from "./changes/change-commands.ts";
import { addChannelCommands } from "./channels/channel-commands.ts";
import { addCodeCommands } from "./code/code-commands.ts";
import { addCompletionCommand } from "./completion/completion-commands.ts";
import { addCronCommands } from "./cron/cron-commands.ts";
import { addHookCommands } from "./hooks/hook-commands.ts";
import { addMcpCommands } from "./mcp/mcp-commands.ts";
import { addAcpCommand } from "./acp/acp-commands.ts";
import { addRunCommand } from "./run/run-commands.ts";
import { addPasskeyCommands } from "./passkeys/passkey-commands.ts";
import { addStoreCommands } from "./store/store-commands.ts";
import { addPluginCommands } from "./plugins/plugin-commands.ts";
import { VERSION } from "../gateway/version.ts";

export type Surroundings = Streams & Pick<CommandContext, "stdin" | "terminal" | "cwd">;

type Action = (context: CommandContext) => Promise<number | void>;

export async function runProgram(argv: readonly string[], around: Surroundings): Promise<number> {
  const json = ownWords(argv).includes("--json");
  const output = createOutput(around, json);
  const context: CommandContext = { ...around, output };
  let exitCode: number = EXIT_CODES.ok.code;
  const action = async (act: Action): Promise<void> => {
    exitCode = (await act(context)) ?? exitCode;
  };
  const help: string[] = [];
  const program = buildProgram(action, { stdout: around.stdout, help });
  try {
    await program.parseAsync(meant(argv), { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.ok.code; // --help and --version
    if (error instanceof CommanderError && error.code === "commander.help" && !json) {
      around.stderr.write(help.join("")); // a group was named without one of its commands
      return EXIT_CODES.usage.code;
    }
    const problem = error instanceof CommanderError ? usageError(error, pathIn(argv, program)) : asCliError(error);
    output.error(problem);
    return exitCodeOf(problem);
  }
}

/** Groups whose name alone means `list`. */
const LISTS = new Set(["plugins", "sessions", "tokens", "passkeys", "audit", "cron", "channels", "pair"]);

/** Expands short forms: a group's name alone means its `list`, and `help a b` means `a b --help`. */
function meant(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => !word.startsWith("-"));
  const name = argv[at] ?? "";
  const rest = argv.slice(at + 1);
  if (name === "help" && rest[0] === "exit-codes") return rest;
  if (name === "help" && rest.length > 1) return [...rest, "--help"];
  const isBare = rest.every((word, index) => index > 0 || (word.startsWith("-") && !/^(?:-h|--help)$/.test(word)));
  return LISTS.has(name) && isBare ? [...argv.slice(0, at + 1), "list", ...rest] : [...argv];
}

/** The path of the named command, up to the first word that is no command. */
function pathIn(argv: readonly string[], program: Command): string {
  let command = program;
  const names = [program.name()];
  for (const word of argv) {
    const child = command.commands.find((item) => item.name() === word);
    if (child === undefined) continue;
    names.push(word);
    command = child;
  }
  return names.join(" ");
}

function usageError(error: CommanderError, path: string): CliError {
  const see = `See what there is with: ${path} --help`;
  if (error.code === "commander.help")
    return new CliError({ exit: "usage", message: "One of its commands is missing.", advice: see, code: "USAGE" });
  const message = error.message.replace(/^error: /, "").replace(/\n[\s\S]*$/, "");
  const near = /Did you mean [^?]*\?/.exec(error.message)?.[0] ?? "";
  const advice = near === "" ? see : near.replace(/^\(|\)$/g, "");
  return new CliError({
    exit: "usage",
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, "."),
    advice,
    code: "USAGE",
  });
}

type Run = (act: Action) => Promise<void>;

/** The tree of all commands; without an action nothing of it runs, for whoever only describes it. */
export function buildProgram(
  action: Run = async () => undefined,
  around: { stdout: Pick<Streams["stdout"], "write">; help: string[] } = { stdout: process.stdout, help: [] },
): Command {
  const program = new Command("holdpoint")
    .description("An agent gateway in which an AI agent cannot change anything until a person has approved its plan.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command, or the exit codes: holdpoint help exit-codes")
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void around.stdout.write(text),
      writeErr: (text) => void around.help.push(text), // printed once by runProgram, as text or as JSON
    })
    .showSuggestionAfterError();
  addRunning(program, action);
  addPage(program, action);
  addPlans(program, action);
  addLibrary(program, action);
  addScenarioCommands(program, action);
  addSessions(program, action);
  addHouse(program, action);
  addStoreCommands(program, action);
  addTokens(program, action);
  addPasskeyCommands(program, action);
  addMcpCommands(program, action);
  addPluginCommands(program, action);
  addChannelCommands(program, action);
  addCronCommands(program, action);
  addCodeCommands(program, action);
  addGate(program, action);
  addHookCommands(program, action);
  addRunCommand(program, action);
  addAcpCommand(program, action);
  addCompletionCommand(program, action);
  program
    .command("exit-codes", { hidden: true })
    .description("the exit codes")
    .action(() =>
      action(async ({ output }) => {
        output.lines(["Exit codes:", ...exitCodeLines()]);
        output.document(EXIT_CODES);
      }),
    );
  program.addHelpText("after", "\nExit codes: holdpoint help exit-codes");
  program.option("--json", "print JSON, also for errors");
  for (const command of everyCommand(program)) {
    command.copyInheritedSettings(program).helpCommand(false).option("--json", "print JSON, also for errors");
  }
  return program;
}

const everyCommand = (command: Command): Command[] =>
  command.commands.flatMap((child) => [child, ...everyCommand(child)]);

function addRunning(program: Command, action: Run): void {
  program
    .command("start")
    .description("start the gateway, or find the one that runs; on a terminal, chat with its agent")
    .option("--port <port>", "port for this run; 0 picks a free one", portNumber)
    .option("--host <host>", "address to listen on for this run")
    .option("--no-chat", "serve only, also on a terminal")
    .option("--link", "print the link to the page where no terminal is, too")
    .option("--workspace <folder>", "the folder that the agent works in (default: this one)")
    .action((options: StartOptions) =>
      action(async (context) => (await import("./commands/start.ts")).start(options, context)),
    );
  program
    .command("chat")
    .description("talk to the agent of the running gateway")
    .option("--session <id>", "continue this session")
    .option("--new", "begin a new session")
    .option("--workspace <folder>", "the folder that the agent works in (default: this one)")
    .action((options: ChatOptions) =>
      action(async (context) => (await import("./commands/chat.ts")).chat(options, context)),
    );
  program
    .command("demo")
    .description("watch a whole plan cycle, played in a throw-away folder with a scripted person")
    .option("--fast", "without pauses for reading")
    .action((options: { fast?: boolean }) =>
      action(async (context) => (await import("./commands/demo.ts")).demo(options, context)),
    );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("Expected a whole number from 0 to 65535.");
  return port;
}

const SESSION = ["--session <id>", "the session (default: the only one that waits, or the last one used)"] as const;

function addPlans(program: Command, action: Run): void {
  const plan = program.command("plan").description("plans and the decisions about them");
  plan
    .command("list")
    .description("plan revisions, newest first")
    .option(...SESSION)
    .option("--limit <n>", "at most so many", count, 20)
    .action((options: OnSession & { limit: number }) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).list(options, context)),
    );
  plan
    .command("show [plan-id]")
    .description("one plan, whole; without an id, the one that waits")
    .option(...SESSION)
    .action((id: string | undefined, options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).show(id, options, context)),
    );
  plan
    .command("accept [code]")
    .description("approve the plan that waits, named by its code: the agent may then make its changes")
    .option(...SESSION)
    .option("--edits", "approve with the accept-edits permission")
    .option("--standing", "for later runs of the scheduled job that submitted it, instead of once")
    .option("--runs <number>", "with --standing: for so many runs (default: 10)", wholeNumber)
    .option("--days <number>", "with --standing: for so many days (default: 30)", wholeNumber)
    .option("--plan <plan-id>", "only if it is still this plan that waits")
    .action((code: string | undefined, options: Accept) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).accept(code, options, context)),
    );
  plan
    .command("revise [feedback...]")
    .description("send the plan back with what should change")
    .option("--notes", "its open notes say it; words are optional then")
    .option(...SESSION)
    .option("--plan <plan-id>", "only if it is still this plan that waits")
    .action((words: string[], options: OnSession & { plan?: string; notes?: boolean }) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).revise(words.join(" "), options, context)),
    );
  plan
    .command("answer <choice...>")
    .description("answer the question that waits: an option's number, its text, or your own words")
    .option(...SESSION)
    .action((words: string[], options: OnSession) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).answer(words.join(" "), options, context)),
    );
  plan
    .command("diff [plan-id]")
    .description("what a revision changed against the one before it")
    .option(...SESSION)
    .option("--raw", "as unified text")
    .action((id: string | undefined, options: OnSession & { raw?: boolean }) =>
      action(async (context) => (await import("./commands/plan/plan.ts")).diff(id, options, context)),
    );
  addReview(plan, action);
  addChangeCommands(plan, action);
  addSelfTest(plan, action);
  for (const [name, description] of [
    ["on", "put a session into plan mode"],
    ["off", "take a session out of plan mode"],
  ] as const) {
    plan
      .command(name)
      .description(description)
      .option(...SESSION)
      .action((options: OnSession) =>
        action(async (context) => (await import("./commands/plan/plan.ts")).toggle(name, options, context)),
      );
  }
}

function count(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1 to 9999.");
  return Number(text);
}

function addSessions(program: Command, action: Run): void {
  const sessions = program.command("sessions").description("conversations with agents");
  sessions
    .command("list")
    .description("sessions, last changed first")
    .option("--archived", "the archived ones")
    .option("--waiting", "only those that wait for a person")
    .option("--search <text>", "only those with this text in their title")
    .option("--limit <n>", "at most so many", count, 50)
    .action((options: SessionListOptions) =>
      action(async (context) => (await import("./commands/sessions.ts")).list(options, context)),
    );
  sessions
    .command("show <id>")
    .description("one session: its mode, what it waits for, its last words")
    .action((id: string) => action(async (context) => (await import("./commands/sessions.ts")).show(id, context)));
  sessions
    .command("log <session-id>")
    .description("the log of one turn, whole")
    .option("--turn <n>", "its number, as in “full plan in turn log #n” (default: the last one)", wholeNumber)
    .action((id: string, options: { turn?: number }) =>
      action(async (context) => (await import("./commands/turn-log.ts")).showTurnLog(id, options, context)),
    );
  sessions
    .command("create")
    .description("begin a session")
    .option("--title <title>", "a name for it")
    .option("--agent <id>", "the agent", "main")
    .option("--workspace <folder>", "the folder that the agent works in (default: this one)")
    .action((options: { title?: string; agent: string; workspace?: string }) =>
      action(async (context) => (await import("./commands/sessions.ts")).create(options, context)),
    );
  sessions
    .command("rename <id> <title...>")
    .description("give a session another name")
    .action((id: string, words: string[]) =>
      action(async (context) => (await import("./commands/sessions.ts")).rename(id, words.join(" "), context)),
    );
  sessions
    .command("archive <id>")
    .description("put a session away")
    .option("--undo", "bring it back")
    .action((id: string, options: { undo?: boolean }) =>
      action(async (context) => (await import("./commands/sessions.ts")).archive(id, options, context)),
    );
  sessions
    .command("reset <id>")
    .description("forget the conversation and start anew under the same name")
    .action((id: string) => action(async (context) => (await import("./commands/sessions.ts")).reset(id, context)));
  sessions
    .command("delete <id>")
    .description("remove a session for good; its audit rows stay")
    .option("--yes", "without asking")
    .action((id: string, options: { yes?: boolean }) =>
      action(async (context) => (await import("./commands/sessions.ts")).remove(id, options, context)),
    );
}

function addPage(program: Command, action: Run): void {
  program
    .command("open")
    .description("open the page in this machine's browser, logged in")
    .action(() => action(async (context) => (await import("./commands/page.ts")).openPage(context)));
  program
    .command("link")
    .description("print a link that logs one browser in: once, within ten minutes")
    .addOption(
      new Option("--scope <scope...>", "what that browser may do (default: what you may)").choices([
        "read",
        "write",
        "approvals",
        "admin",
      ]),
    )
    .action((options: { scope?: string[] }) =>
      action(async (context) => (await import("./commands/page.ts")).printPageLink(options, context)),
    );
}

function addHouse(program: Command, action: Run): void {
  program
    .command("status")
    .description("what the running gateway is doing")
    .action(() => action(async (context) => (await import("./commands/status.ts")).status(context)));
  program
    .command("doctor")
    .description("look for what is wrong, and say what to do about it")
    .option("--fix", "correct what can be corrected without a decision: rights of files that others can read")
    .action((options: DoctorFix) =>
      action(async (context) => (await import("./commands/doctor.ts")).doctor(options, context)),
    );
  program
    .command("backup [file]")
    .description("write a consistent copy of the store, also while the gateway runs")
    .action((file: string | undefined) =>
      action(async (context) => (await import("./commands/backup.ts")).backup(file, context)),
    );
  program
    .command("update")
    .description("say which version is installed, which is the newest, and how to get it; installs nothing")
    .option("--check", "end with exit code 10 where there is a newer one, for scripts")
    .action((options: UpdateOptions) =>
      action(async (context) => (await import("./update/update.ts")).update(options, context)),
    );
  const audit = program.command("audit").description("the chain of everything that was decided and done");
  audit
    .command("list")
    .description("audit rows, oldest first")
    .option("--after <seq>", "rows after this number", wholeNumber, 0)
    .option("--session <id>", "of one session")
    .option("--limit <n>", "at most so many", count, 50)
    .action((options: { after: number; session?: string; limit: number }) =>
      action(async (context) => (await import("./commands/audit.ts")).listAudit(options, context)),
    );
  audit
    .command("verify")
    .description("prove that no row was altered or removed, and that every passkey's signature holds")
    .option("--file <rows>", "rows that were exported with: holdpoint audit list --json")
    .option("--signed", "fail where an approval has no passkey's signature")
    .action((options: VerifyOptions) =>
      action(async (context) => (await import("./commands/audit.ts")).verifyAudit(options, context)),
    );
  addConfig(program, action);
  addModels(program, action);
}

function addModels(program: Command, action: Run): void {
  const models = program.command("models").description("the language models behind the agents");
  models
    .command("list")
    .description("which models are configured, and whose keys are there (names only)")
    .action(() => action(async (context) => (await import("./commands/models.ts")).listModels(context)));
  models
    .command("test <name>")
    .description("ask one model for one word: provider/model")
    .action((name: string) =>
      action(async (context) => (await import("./commands/models.ts")).testModel(name, context)),
    );
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 0.");
  return Number(text);
}

function addConfig(program: Command, action: Run): void {
  const config = program.command("config").description("the configuration file");
  config
    .command("get [setting]")
    .description("the value of a setting, or of all")
    .action((path: string | undefined) =>
      action(async (context) => (await import("./commands/config.ts")).getConfig(path, context)),
    );
  config
    .command("set <setting> <value>")
    .description("set a value (JSON or plain text), checked before it is written")
    .action((path: string, value: string) =>
      action(async (context) => (await import("./commands/config.ts")).setConfig(path, value, context)),
    );
  config
    .command("unset <setting>")
    .description("remove a value, so that its default holds again")
    .action((path: string) =>
      action(async (context) => (await import("./commands/config.ts")).unsetConfig(path, context)),
    );
  config
    .command("schema")
    .description("the JSON Schema of the file, for editors")
    .action(() => action(async (context) => (await import("./commands/config.ts")).printConfigSchema(context)));
  config
    .command("path")
    .description("where the file is")
    .action(() => action(async (context) => (await import("./commands/config.ts")).printConfigPath(context)));
}

function addTokens(program: Command, action: Run): void {
  const tokens = program.command("tokens").description("the tokens with which operators connect");
  tokens
    .command("create <name>")
    .description("make a token; its secret is shown this once")
    .addOption(
      new Option("--scope <scope...>", "what it may do")
        .choices(["read", "write", "approvals", "admin"])
        .default(["read", "write", "approvals"]),
    )
    .action((name: string, options: { scope: string[] }) =>
      action(async (context) => (await import("./commands/tokens.ts")).createToken(name, options, context)),
    );
  tokens
    .command("list")
    .description("the tokens, without their secrets")
    .action(() => action(async (context) => (await import("./commands/tokens.ts")).listTokens(context)));
  tokens
    .command("revoke <id>")
    .description("revoke a token and end its connections")
    .action((id: string) => action(async (context) => (await import("./commands/tokens.ts")).revokeToken(id, context)));
}

function addGate(program: Command, action: Run): void {
  const gate = program.command("gate").description("what the gate lets pass, and the proof that it holds");
  gate
    .command("check")
    .description("judge tool calls: JSON lines on standard input, one verdict for each on standard output")
    .action(() => action(async (context) => (await import("./gate/commands/gate-check.ts")).checkGate(context)));
  gate
    .command("explain <command>")
    .description("how the gate reads a shell command, and which rule answered")
    .action((command: string) =>
      action(async (context) => (await import("./gate/commands/gate-explain.ts")).explainGate(command, context)),
    );
  gate
    .command("doctor")
    .description("prove by trying that nothing gets past the gate in plan mode, with your configuration")
    .option("--no-agents", "leave out the agents of others that are installed here")
    .option("--only-agents", "try nothing but them")
    .action((options: DoctorOptions) =>
      action(async (context) => (await import("./gate/commands/gate-doctor.ts")).gateDoctor(options, context)),
    );
}
