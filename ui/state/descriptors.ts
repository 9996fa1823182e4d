/** What plugins contribute to the page. Read when the first slot is shown, and again when one is shown much later. */
import type { ResultOf } from "../../src/all-methods.ts";
import type { Calling } from "./calling.ts";
import { cell, type Readable } from "./cell.ts";

export type UiDescriptor = ResultOf<"ui.descriptors">["plugins"][number]["descriptors"][number];
export type Contribution = { pluginId: string; descriptor: UiDescriptor };

export type DescriptorsState = Readable<readonly Contribution[]> & {
  /** A slot is shown: sees to it that the list is no older than a few seconds. */
  wanted(): void;
  reload(): Promise<void>;
};

const FRESH_MS = 10_000;

export function createDescriptors({ call }: Calling): DescriptorsState {
  const list = cell<readonly Contribution[]>([]);
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function reload(): Promise<void> {
    readAtMs = Date.now();
    list.set(contributionsOf(await call("ui.descriptors", {})));
  }

  return {
    get: list.get,
    subscribe: list.subscribe,
    reload,
    wanted() {
      // the page works without plugins: what cannot be read is read again with the next slot
      if (Date.now() - readAtMs > FRESH_MS) void reload().catch(() => (readAtMs = Number.NEGATIVE_INFINITY));
    },
  };
}

const contributionsOf = ({ plugins }: ResultOf<"ui.descriptors">): Contribution[] =>
  plugins.flatMap(({ pluginId, descriptors }) => descriptors.map((descriptor) => ({ pluginId, descriptor })));
