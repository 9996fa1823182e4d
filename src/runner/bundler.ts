/**
 * The bundler of a checkout. It works in a process of its own, which ends with the last bundle: idle, it would take memory
 * for as long as the gateway runs.
 */
import type { build as Build } from "esbuild";

let open = 0;

export async function withBundler<Made>(work: (build: typeof Build) => Promise<Made>): Promise<Made> {
  const { build, stop } = await import("esbuild");
  open += 1;
  try {
    return await work(build);
  } finally {
    open -= 1;
    if (open === 0) await stop();
  }
}
