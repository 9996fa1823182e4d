/**
 * Processes of a plugin's own programs that must reach nothing: no file but those named, no environment, no network, no
 * other process (GA-13). Only bundled and trusted plugins.
 */
import type { Duplex, Readable, Writable } from "node:stream";

export type GuestProgram = {
  /** The program's file; from a checkout a TypeScript file, which is bundled first. */
  entry: URL;
  args: readonly string[];
  /** Files and folders that it may read besides its own. */
  readable: readonly string[];
  heapMegabytes: number;
  /** So many connections besides its pipes, so that its threads can be spoken to one by one; absent: none. */
  lanes?: number;
};

/** The descriptor that a program finds its first lane on; the others follow it. */
export const FIRST_LANE_DESCRIPTOR = 5;

/** A running one, held by its pipes. */
export type GuestPipes = {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly lanes: readonly Duplex[];
  /** What it last wrote on its standard error, cut. */
  lastWords(): string;
  /** Resolves when it has ended, with how. */
  readonly exited: Promise<string>;
  kill(): void;
  /** Whether it keeps this process alive. */
  hold(isHeld: boolean): void;
};

export type GuestProcesses = {
  /** It may start threads, and nothing else. Rejects when it cannot be started. */
  launch(program: GuestProgram): Promise<GuestPipes>;
};
