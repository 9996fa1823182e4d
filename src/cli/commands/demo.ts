/** `holdpoint demo`: one whole plan cycle by itself. Agent and person follow scripts; everything between them is real. */
import { setTimeout as wait } from "node:timers/promises";
import { startGateway } from "../../gateway.ts";
import { createChat } from "../chat/chat.ts";
import { echoLines } from "../chat/entry-lines.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { createImpatientModel } from "../demo/impatient-model.ts";
import { type Cast, playCycle } from "../demo/cycle.ts";
import { type DemoFolders, makeDemoFolders } from "../demo/demo-folders.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { openLink } from "../gateway-link.ts";
import { onStopSignals } from "../stop-signals.ts";
import { wrap } from "../text/wrap.ts";

const WORD_MS = 35;
const READING_MS = 1_800;

export async function demo({ fast }: { fast?: boolean }, context: CommandContext): Promise<number> {
  const signals = onStopSignals();
  const folders = await makeDemoFolders();
  const isFast = fast === true || context.output.json;
  try {
    await Promise.race([perform(folders, isFast, context), signals.first]);
  } finally {
    signals.stop();
    await folders.remove();
  }
  if (signals.signal.aborted) process.exit(EXIT_CODES.interrupted.code); // nothing of this gateway is kept
  return EXIT_CODES.ok.code;
}

async function perform({ home, workspace }: DemoFolders, isFast: boolean, context: CommandContext): Promise<void> {
  const pause = (signal: AbortSignal): Promise<void> => rest(isFast ? 0 : WORD_MS, signal);
  const model = createImpatientModel(pause);
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new CliError({ exit: "failed", message: "The demo's own folder is in use." });
  const link = await openLink({ url: gateway.url, token: gateway.operatorToken }, { stay: false });
  try {
    const { session } = await link.call("sessions.create", { workspace, title: "demo" });
    const { output } = context;
    let refusals = 0;
    const view = { print: output.lines, live: () => {}, prompt: () => {}, restore: () => {} };
    const chat = createChat({
      link,
      sessionId: session.id,
      view,
      look: output.look,
      nowMs: Date.now,
      frozenLines: false,
      onEvent: ({ event, payload }) => {
        if (event === "call.refused") refusals += 1;
        output.document({ event, payload });
      },
    });
    await chat.open();
    await playCycle({
      chat,
      link,
      workspace,
      url: gateway.url,
      refusals: () => refusals,
      stage: stageOf(isFast, context),
    });
    chat.close();
  } finally {
    link.close();
    await gateway.stop();
  }
}

function stageOf(isFast: boolean, { output }: CommandContext): Cast["stage"] {
  let scene = 0;
  return {
    scene(title) {
      scene += 1;
      const { columns, paint } = output.look();
      const head = `── ${scene}. ${title} `;
      output.lines(["", paint.strong(head + "─".repeat(Math.max(columns - head.length, 0)))]);
    },
    tell: (text) => output.lines(wrap(text, output.look().columns).map(output.look().paint.quiet)),
    person: (text) => output.lines(echoLines(text, output.look())),
    lines: output.lines,
    look: output.look,
    document: output.document,
    reading: () => rest(isFast ? 0 : READING_MS),
  };
}

async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms === 0) return;
  await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
