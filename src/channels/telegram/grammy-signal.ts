/** grammY types signals by a package for old runtimes; at run time it takes the platform's own. */
import type { Api } from "grammy/web";

export type GrammySignal = NonNullable<Parameters<Api["getMe"]>[0]>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same interface, described by another package
export const grammySignal = (signal: AbortSignal): GrammySignal => signal as unknown as GrammySignal;
