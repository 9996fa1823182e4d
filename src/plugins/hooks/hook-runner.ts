/**
 * Runs ordinary hooks: greater priority first, then in the order of registration, each within its time-out. A hook that
 * throws, takes too long or answers nonsense is passed over and counted against its plugin; nothing was allowed by it.
 *
 * Who is asked about a call was told what happened before it, unless they take long to hear: what counts what an agent spends
 * has counted the answer that the call stands in.
 *
 * A hook that answers at once needs no clock and no promise: that is what most of them do, on every call.
 */
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import { type HookAnswers, type HookEvents, HOOK_MS_DEFAULT, type HookHandler, type HookName } from "../api/hooks.ts";
import type { Clock } from "../sessions.ts";
import { contain } from "./contain.ts";
import { readAnswer } from "./hook-answers.ts";

export type RegisteredHook = {
  pluginId: string;
  hook: HookName;
  handler: HookHandler<HookName>;
  priority: number;
  timeoutMs: number;
  needs: ReadonlySet<PluginNeed>;
};

export type HookFailure = { pluginId: string; hook: HookName; error: unknown };
export type Answered<Name extends HookName> = { pluginId: string; answer: NonNullable<HookAnswers[Name]> };

export type Heed<Name extends HookName> = {
  /** True: this answer is enough. */
  until?(answer: Answered<Name>): boolean;
  failed?(pluginId: string): void;
};

export type HookRunner = {
  add(hook: RegisteredHook): void;
  removePlugin(pluginId: string): void;
  has(name: HookName): boolean;
  /** Runs hooks one after another. Failed ones are skipped; `heed` receives them and may end the round with an answer. */
  run<Name extends HookName>(name: Name, event: HookEvents[Name], heed?: Heed<Name>): Promise<Answered<Name>[]>;
};

export type HookParts = {
  clock: Clock;
  failed(failure: HookFailure): void;
  /** When a plugin has handled the events that it was told of; undefined: it has. */
  caughtUp?(pluginId: string): Promise<unknown> | undefined;
};

/** And no more than half of the hook's own time. */
const CATCH_UP_MS_MAX = 1_000;

export function createHookRunner(parts: HookParts): HookRunner {
  const hooks = new Map<HookName, readonly RegisteredHook[]>();

  function call(hook: RegisteredHook, event: HookEvents[HookName]): unknown {
    const { pluginId, timeoutMs } = hook;
    let isFailed = false;
    const failed = (error: unknown): void => {
      isFailed = true;
      parts.failed({ pluginId, hook: hook.hook, error });
    };
    const asked = (): unknown => hook.handler(visibleTo(hook, event));
    const behind = hook.hook === "before_tool_call" ? parts.caughtUp?.(pluginId) : undefined;
    try {
      const answer = behind === undefined ? asked() : waitFor(behind, timeoutMs / 2).then(asked);
      if (!(answer instanceof Promise)) return answer;
      return contain(() => answer, { clock: parts.clock, timeoutMs, failed }).then((settled): unknown =>
        isFailed ? FAILED : settled,
      );
    } catch (error) {
      failed(error);
      return FAILED;
    }
  }

  async function waitFor(behind: Promise<unknown>, msMax: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = parts.clock.wakeAt(parts.clock.now() + Math.min(msMax, CATCH_UP_MS_MAX), resolve);
    await Promise.race([behind, promise]);
    callOff();
  }

  function read<Name extends HookName>(hook: RegisteredHook, name: Name, raw: unknown) {
    const answer = readAnswer(name, raw);
    if (answer === undefined) parts.failed({ ...hook, error: new Error("an answer that cannot be read") });
    return answer;
  }

  return {
    add(hook) {
      const others = hooks.get(hook.hook) ?? [];
      hooks.set(
        hook.hook,
        [...others, hook].toSorted((a, b) => b.priority - a.priority), // stable: then by registration
      );
    },
    removePlugin(pluginId) {
      for (const [name, registered] of hooks) {
        const rest = registered.filter((hook) => hook.pluginId !== pluginId);
        if (rest.length === 0) hooks.delete(name);
        else hooks.set(name, rest);
      }
    },
    has: (name) => hooks.has(name),
    async run(name, event, heed = {}) {
      const answers: Answered<typeof name>[] = [];
      for (const hook of hooks.get(name) ?? NONE) {
        const given = call(hook, event);
        const raw = given instanceof Promise ? await given : given;
        if (raw === undefined || raw === null) continue;
        const answer = raw === FAILED ? undefined : read(hook, name, raw);
        if (answer === undefined) heed.failed?.(hook.pluginId);
        else if (isEnough(kept(answers, { pluginId: hook.pluginId, answer }), heed)) break;
      }
      return answers;
    },
  };
}

const FAILED = Symbol("failed");
const kept = <Item>(list: Item[], item: Item): Item => {
  list.push(item);
  return item;
};
const isEnough = <Name extends HookName>(answer: Answered<Name>, { until }: Heed<Name>): boolean =>
  until !== undefined && until(answer);
const NONE: readonly RegisteredHook[] = [];

/** Texts and arguments only for plugins whose operator agreed to it. Each hook gets an object of its own. */
function visibleTo({ needs }: RegisteredHook, event: HookEvents[HookName]): HookEvents[HookName] {
  const shown: Record<string, unknown> = { ...event };
  if (!needs.has("tool-arguments")) delete shown["args"];
  else if (shown["args"] !== undefined) shown["args"] = structuredClone(shown["args"]);
  if (!needs.has("message-text")) delete shown["text"];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same event without fields that are optional in it
  return shown as HookEvents[HookName];
}

export const hookTimeout = (timeoutMs: number | undefined, msMax: number): number =>
  Math.min(Math.max(timeoutMs ?? HOOK_MS_DEFAULT, 1), msMax);
