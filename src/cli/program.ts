/** argv → command. Each command's code is loaded when it is called: asking for help costs nothing else. */
import { Command, CommanderError, Option } from "commander";
import { asCliError, CliError, exitCodeOf } from "./cli-error.ts";
import { EXIT_CODES, exitCodeLines } from "./exit-codes.ts";
import { createOutput, type Streams } from "./output.ts";
import { ownWords } from "./own-words.ts";
import type { CommandContext } from "./context.ts";
import type { StartOptions } from "./commands/start.ts";
import type { ChatOptions } from "./commands/chat.ts";
import type { DoctorOptions } from "./gate/commands/gate-doctor.ts";
import { addPlanCommands } from "./declared/plan-commands.ts";
import { addSessionCommands } from "./declared/session-commands.ts";
import { addUpkeepCommands } from "./declared/upkeep-commands.ts";
import { portNumber } from "./number-options.ts";
import { addLibrary } from "./library/library-program.ts";
import { addScenarioCommands } from "./scenario/scenario-program.ts";
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
  addPlanCommands(program, action);
  addLibrary(program, action);
  addScenarioCommands(program, action);
  addSessionCommands(program, action);
  addUpkeepCommands(program, action);
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
