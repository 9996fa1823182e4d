/** What is known of a transcript, whatever an agent keeps it in. */
import type { HookAgent } from "../hooks/hook-line.ts";

export type Person = { home: string; env: Readonly<Record<string, string | undefined>> };

export type Transcript = {
  agent: HookAgent;
  session: string;
  bornMs: number;
  /** How far it is written: bytes of a file, the time of the newest entry of a store. */
  end: number;
  /** The calls from a place on, by names that stay when an agent writes the same call anew, and where the next look begins. */
  callsFrom(place: number): Promise<{ calls: readonly string[]; next: number }>;
  /** The folder that the run works in, where the transcript says so. */
  folder(): Promise<string | undefined>;
};
