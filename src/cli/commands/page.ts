/** `holdpoint open` and `holdpoint link`: the ways to the page. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { writeAtomically } from "../../config/atomic-write.ts";
import { homePath } from "../../config/home.ts";
import { Scope } from "../../protocol/actor.ts";
import type { CommandContext } from "../context.ts";
import { findGateway, openLink } from "../gateway-link.ts";
import { loginLink } from "../login-link.ts";
import { pageReady } from "../page-ready.ts";
import { pageLines } from "../text/page-lines.ts";

export async function printPageLink(options: { scope?: string[] }, { output, env }: CommandContext): Promise<void> {
  const scopes = options.scope?.map((scope) => Scope.parse(`operator.${scope}`));
  const made = await newLink({ output, env }, scopes);
  output.document({ link: made });
  output.lines(output.look().isPiped === true ? [made] : pageLines(made, output.look()));
}

/** Programs of this machine see each other's arguments, so the browser gets a file that only its owner can read. */
export async function openPage({ output, env }: CommandContext): Promise<void> {
  const made = await newLink({ output, env });
  const file = join(homePath(env), "open.html");
  await writeAtomically(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0; url=${made}"><title>Holdpoint</title>\n`,
  );
  const opened = await launch(file);
  output.document({ link: made, opened });
  const remark = opened ? "Your browser opens the page. If it does not:" : "No browser could be started here.";
  output.lines([remark, "", ...pageLines(made, output.look())]);
}

async function newLink({ output, env }: Pick<CommandContext, "output" | "env">, scopes?: Scope[]): Promise<string> {
  const address = await findGateway(env);
  await pageReady(address.url, output);
  const connection = await openLink(address, { stay: false });
  try {
    return await loginLink(connection, address, scopes);
  } finally {
    connection.close();
  }
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Resolves once the opener is running; what it does then is the desktop's business. */
function launch(file: string): Promise<boolean> {
  const [command = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, file], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
