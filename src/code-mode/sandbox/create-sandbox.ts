/** Makes the sandbox of this gateway: a process with workers, started at the first cell and ended when it was idle. */
import type { GuestProcesses } from "../../plugins/sdk.ts";
import type { Sandbox } from "./sandbox.ts";

export type SandboxOptions = {
  /** Starts the process that the workers live in. */
  processes: GuestProcesses;
  /** 32 bytes that seal snapshots: whoever has another key cannot resume them. */
  key: Uint8Array;
  /** How long the process is kept without a cell. */
  idleMs?: number;
};

export declare function createSandbox(options: SandboxOptions): Sandbox;
