/** What a worker is started with, and where it shows the thread that watches it how far it is. */
import type { Image } from "./guest-vm.ts";

export type WorkerStart = {
  wasm: WebAssembly.Module;
  image: Image;
  /** Shared with the thread that watches. */
  progress: Int32Array;
  /** Its own connection to the gateway; absent: it speaks through the thread that watches. */
  lane?: Lane;
};

/** `number`: which one it is for the gateway, from 0. */
export type Lane = { number: number; descriptor: number };

/** Fields of `progress`: what it does now, the number of the cell that was over last, and how many messages its lane was given. */
export const PROGRESS = { phase: 0, done: 1, posted: 2 } as const;
export const PROGRESS_FIELDS = 3;
