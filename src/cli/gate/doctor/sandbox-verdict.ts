/** What the doctor says about the sandbox of this machine, after everything that it tried. */
import type { SandboxKind } from "../../../runner/sandbox.ts";

export type SandboxSeen = {
  kind: SandboxKind;
  isUncertain: boolean;
  platform: NodeJS.Platform;
  /** As it is configured. */
  settings: { sandbox: "auto" | "none"; hideStateFolder: boolean };
  /** How many of the lines above say FAIL. */
  failed: number;
};

export function sandboxVerdict({ kind, isUncertain, platform, settings, failed }: SandboxSeen): string {
  if (settings.sandbox === "none") return `${SWITCHED_OFF} ${see(failed)}`.trim();
  if (!settings.hideStateFolder) return `${SHOWN} ${see(failed)}`.trim();
  if (failed > 0 && kind !== "none" && !isUncertain)
    return `${see(failed)} This machine has a sandbox (${kind}); what is said of it holds only as far as the lines above do.`;
  if (isUncertain) return UNCERTAIN;
  if (kind === "none")
    return `There is no sandbox here (${LACKING[platform] ?? "none is known for this system"}): commands are refused unless tools.exec.sandbox is "none".${platform === "linux" ? " Install bubblewrap to have them held by the kernel." : ""}`;
  const held = `What acts for the agent runs in a sandbox (${kind}) in which the gateway's folder does not exist; read-only commands have no write access and no network.`;
  return kind === "seatbelt" ? `${held} ${NOT_RUN}` : held;
}

const see = (failed: number): string =>
  failed === 0 ? "" : `${failed === 1 ? "One line" : `${failed} lines`} above failed: this installation does not hold.`;
const SWITCHED_OFF =
  "tools.exec.sandbox is \"none\": what acts for the agent runs without a sandbox, and can read and change what you can, the gateway's folder and the operator's token included.";
const SHOWN =
  "tools.exec.hideStateFolder is false: the agent's commands see the gateway's folder, with the operator's token in it.";
const UNCERTAIN =
  "This machine was too busy to start a sandbox within 5 seconds. A running gateway refuses commands for half a minute after such a failure, then tries again. Run the doctor once more to see whether it works.";
const LACKING: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: "neither bubblewrap nor user namespaces",
  darwin: "sandbox-exec is missing, or did not hold what it was tried with; macOS: not run here",
};
const NOT_RUN =
  "macOS: not run here. Nobody who wrote this has run it on a Mac; it is used because a trial held on this machine before the first command, and the lines above are what the doctor itself saw.";
