/** Which plugin may do what, and when: each call of a plugin's api is checked here first. */
import type { PluginNeed } from "../../protocol/plugin/plugin-manifest.ts";
import { PluginError, type PluginProblem } from "../plugin-error.ts";
import type { PluginRuntime } from "../plugin-runtime.ts";
import { readOnlyRun } from "../read-only-run.ts";
import { type Contributions, type Loaded, REGISTRATIONS_MAX } from "./contributions.ts";

/** The checks on a plugin's calls. */
export type Rights = {
  fail(problem: PluginProblem, message: string): PluginError;
  /** Throws what is wrong with something that is registered; does nothing where nothing is. */
  wellFormed(problem: string | undefined): void;
  stage<Kind extends keyof Contributions>(kind: Kind, item: Contributions[Kind][number]): void;
  trusted(what: string): void;
  demand(need: PluginNeed): void;
  running(): PluginRuntime;
  /** Throws inside of an invocation that may only read. */
  mayChange(): void;
  /** As `running`, for what changes anything. */
  changing(): PluginRuntime;
};

/** `runtime`: undefined until the gateway is connected. */
export function rightsOf(own: Loaded, services: { runtime(): PluginRuntime | undefined }): Rights {
  const fail = (problem: PluginProblem, message: string): PluginError =>
    new PluginError({ problem, pluginId: own.id }, `${own.id}: ${message}.`);
  function running(): PluginRuntime {
    const runtime = services.runtime();
    if (own.status === "off") throw fail("disabled", "it is switched off");
    if (runtime === undefined) throw fail("failed", "the gateway does not stand yet; wait for gateway_start");
    return runtime;
  }
  function mayChange(): void {
    const reading = readOnlyRun();
    if (reading === undefined) return;
    throw fail("only-reads", `${reading.cause} needs no more than operator.read, so it may change nothing`);
  }
  return {
    fail,
    running,
    mayChange,
    changing() {
      mayChange();
      return running();
    },
    wellFormed(problem) {
      if (problem !== undefined) throw fail("invalid", problem);
    },
    stage(kind, item) {
      if (own.status !== "registering") throw fail("invalid", "registering is over when `register` has returned");
      const list: (typeof item)[] = own.has[kind];
      if (list.length >= REGISTRATIONS_MAX) throw fail("invalid", `more than ${REGISTRATIONS_MAX} ${kind}`);
      list.push(item);
    },
    trusted(what) {
      if (own.tier !== "ordinary") return;
      throw fail(
        "not-trusted",
        `only a trusted plugin may register ${what}; an operator trusts it by \`plugins trust\``,
      );
    },
    demand(need) {
      if (!own.needs.has(need)) throw fail("not-declared", `its manifest does not ask for "${need}"`);
    },
  };
}
