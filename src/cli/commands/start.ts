/**
 * `holdpoint start`: the gateway in the foreground; on a terminal with a chat in front of it.
 *
 *   start ──▶ gateway runs ──terminal──▶ chat ──left──▶ drain ──▶ end
 *     │             └──none──▶ serve ──SIGTERM · SIGINT──▶ drain ──▶ end        (a second signal: at once)
 *     └──another one holds this home──terminal──▶ chat with that one
 */
import { setTimeout as wait } from "node:timers/promises";
import { defaultHome, homePath } from "../../config/home.ts";
import { type AlreadyRunning, type RunningGateway, startGateway } from "../../gateway.ts";
import { closeInspector } from "../../gateway/process/close-inspector.ts";
import { readRunningFile } from "../../gateway/process/running-file.ts";
import { announceGateway } from "../../runner/hidden/recognised-places.ts";
import { CliError } from "../cli-error.ts";
import { type CommandContext, isTerminal } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import type { Address } from "../gateway-link.ts";
import { onStopSignals } from "../stop-signals.ts";
import { pageLines } from "../text/page-lines.ts";
import { wrap } from "../text/wrap.ts";
import { workspaceFolder } from "../workspace.ts";

export type StartOptions = { port?: number; host?: string; chat: boolean; workspace?: string; link?: boolean };

/** A gateway that is just starting has the home but no address yet. */
const LOOKS_MAX = 50;
const LOOK_EVERY_MS = 100;

export async function start(options: StartOptions, context: CommandContext): Promise<number | void> {
  const home = homePath(context.env);
  const workspace = await workspaceFolder(options.workspace, context);
  const withChat = options.chat && isTerminal(context);
  const { port, host } = options;
  const started = await startGateway({
    home,
    workspace,
    env: context.env,
    log: withChat || context.stderr.isTTY === true ? "file" : "stderr",
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
  });
  if ("alreadyRunning" in started) return found(started, { home, workspace, withChat, context });
  setImmediate(() => closeInspector());
  if (home !== defaultHome()) setImmediate(() => announceGateway(home));
  return withChat
    ? chatHere(started, workspace, context)
    : serve(started, { context, withLink: options.link ?? context.terminal.isTTY });
}

async function chatHere(gateway: RunningGateway, workspace: string, context: CommandContext): Promise<number> {
  const signals = onStopSignals();
  const { output } = context;
  const look = output.look();
  output.lines(gateway.notes.flatMap((note) => wrap(note, look.columns)).map(look.paint.waiting));
  try {
    await chatAt({ url: gateway.url, token: gateway.operatorToken }, { workspace, context, signal: signals.signal });
  } finally {
    await gateway.stop();
    signals.stop();
  }
  output.lines(
    wrap("The gateway has stopped. What waits stays pending and is here at the next start.", output.look().columns),
  );
  return EXIT_CODES.ok.code;
}

/** A gateway that only serves starts without them. */
async function chatParts() {
  const [sessions, greetings, terminal, links, logins] = await Promise.all([
    import("../chat/choose-session.ts"),
    import("../chat/greeting.ts"),
    import("../chat/terminal-chat.ts"),
    import("../gateway-link.ts"),
    import("../login-link.ts"),
  ]);
  return { ...sessions, ...greetings, ...terminal, ...links, ...logins };
}

type InFolder = { workspace: string; context: CommandContext; signal?: AbortSignal };

async function chatAt(address: Address, { workspace, context, signal }: InFolder): Promise<void> {
  const { chooseSession, greeting, loginLink, openLink, terminalChat } = await chatParts();
  const link = await openLink(address, { stay: true });
  try {
    const chosen = await chooseSession(link, { isNew: false, workspace });
    await shownSoon(address.url, context.output);
    const page = await loginLink(link, address);
    context.output.lines(await greeting(link, { url: address.url, chosen, look: context.output.look(), page }));
    await terminalChat({ link, sessionId: chosen.sessionId, context, ...(signal === undefined ? {} : { signal }) });
  } finally {
    link.close();
  }
}

/** A gateway that shows no link starts without it. */
const shownSoon = async (url: string, output: CommandContext["output"]): Promise<void> =>
  (await import("../page-ready.ts")).pageReady(url, output);

/** A link is a credential and an agent may read logs, so it is logged only on request. */
async function serve(
  gateway: RunningGateway,
  { context: { output }, withLink }: { context: CommandContext; withLink: boolean },
): Promise<number> {
  const { url, port, home, firstStart, notes } = gateway;
  const signals = onStopSignals();
  output.lines([
    ...notes,
    `Holdpoint serves at ${url} (process ${process.pid}, home ${home}).`,
    "Connect with: holdpoint chat · holdpoint plan list · holdpoint status",
    "Stop it with Ctrl+C or SIGTERM; what waits for a person stays pending.",
  ]);
  if (withLink) await Promise.race([shownSoon(url, output), signals.first]);
  const link = withLink ? await gateway.link() : undefined;
  output.lines(link === undefined ? ["Open the page with: holdpoint open"] : ["", ...pageLines(link, output.look())]);
  output.document({ url, port, pid: process.pid, home, firstStart, notes, ...(link === undefined ? {} : { link }) });
  await signals.first;
  output.remark("Stopping: nothing new begins, what is under way is recorded.");
  await gateway.stop();
  signals.stop();
  return EXIT_CODES.ok.code;
}

type FoundParts = InFolder & { home: string; withChat: boolean };

async function found(
  { alreadyRunning }: AlreadyRunning,
  { home, workspace, withChat, context }: FoundParts,
): Promise<number> {
  const { pid } = alreadyRunning;
  if (!withChat) throw held(pid, alreadyRunning.url);
  await addressOf(home, pid);
  context.output.lines([
    context.output
      .look()
      .paint.quiet(`A gateway runs here already (process ${pid ?? "unknown"}); this is a chat with it.`),
  ]);
  const { findGateway } = await chatParts();
  await chatAt(await findGateway(context.env), { workspace, context });
  const bye = `Bye. The gateway (process ${pid ?? "unknown"}) runs on, and what waits stays pending.`;
  context.output.lines(wrap(bye, context.output.look().columns));
  return EXIT_CODES.ok.code;
}

async function addressOf(home: string, pid: number | null): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const running = await readRunningFile(home);
    if (running !== undefined && (pid === null || running.pid === pid)) return;
    await wait(LOOK_EVERY_MS);
  }
  throw held(pid, undefined);
}

function held(pid: number | null, url: string | undefined): CliError {
  const where = url === undefined ? "" : ` and serves at ${url}`;
  return new CliError({
    exit: "stateHeld",
    message: `Another gateway (process ${pid ?? "unknown"}) holds this home folder${where}.`,
    advice: "Talk to it with: holdpoint chat. Or stop it first, or choose another folder with HOLDPOINT_HOME.",
    code: "STATE_HELD",
  });
}
