/**
 * Loads an ordinary plugin in place of its stand-in: once for all who ask at the same time; after a failure again, but
 * not at once.
 */
import { realpath } from "node:fs/promises";
import { PluginError } from "../../plugins/plugin-error.ts";
import { type Heirs, noHeirs, withHeirs } from "../../plugins/isolated/stand-in.ts";
import { type HeldPlugin, type HoldingParts, textOf } from "./held-plugin.ts";
import { changedFiles, packageStatusOf } from "./packages/package-status.ts";

const FIRST_WAIT_MS = 1_000;
const WAIT_MS_MAX = 60_000;

export function loadGuest(one: HeldPlugin, parts: HoldingParts): Promise<Heirs> {
  if (one.activating !== undefined) return one.activating;
  const { clock } = parts;
  const { id } = one.known.found.manifest;
  if (clock.now() < one.notBeforeMs) {
    const seconds = Math.ceil((one.notBeforeMs - clock.now()) / 1_000);
    return Promise.reject(new Error(`${id} could not be loaded and is tried again in ${seconds} s at the earliest.`));
  }
  const activating = loadNoted(one, parts);
  one.activating = activating;
  return activating;
}

async function loadNoted(one: HeldPlugin, parts: HoldingParts): Promise<Heirs> {
  const { id } = one.known.found.manifest;
  try {
    const heirs = await load(one, parts);
    one.live = { standing: "active", because: null };
    delete one.giveBack;
    return heirs;
  } catch (error) {
    delete one.activating;
    one.failures += 1;
    one.notBeforeMs = parts.clock.now() + Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (one.failures - 1));
    one.live = { standing: "refused", because: textOf(error) };
    if (isRefusal(error)) await parts.refuse(one, textOf(error));
    else parts.notice(id, textOf(error));
    throw error;
  }
}

/** What it registers is not allowed, and will not be at the next try either; everything else may pass. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PluginError && error.problem !== "failed" && error.problem !== "disabled";

/** The code that starts processes is loaded with the first plugin that needs one. */
async function load(one: HeldPlugin, { host, clock }: HoldingParts): Promise<Heirs> {
  const { manifest, folder } = one.known.found;
  const status = packageStatusOf(one.known);
  if (status.standing !== "ready") throw new Error(status.because); // the message says what to do
  const { isolatedPlugin } = await import("../../plugins/isolated/isolated-plugin.ts");
  const { config } = status;
  const heirs = noHeirs();
  const plugin = isolatedPlugin({
    manifest,
    folder: await realpath(folder),
    config,
    clock,
    trouble: (reason) => host.failed(manifest.id, reason),
    refusal: async () => (await changedFiles(one.known))?.text,
  });
  await host.replace({ plugin: withHeirs(plugin, heirs), tier: "ordinary", manifest, config });
  return heirs;
}
