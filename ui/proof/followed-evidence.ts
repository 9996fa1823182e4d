/** What was seen of the plan that the open session carries out, or carried out last, for as long as an element shows it. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import type { PlanProgress, PlanStep } from "../../src/plan-mode/protocol/plan.ts";
import type { Seen } from "../../src/plan-mode/protocol/step/proof-standing.ts";
import type { App } from "../app/app.ts";

type Host = ReactiveControllerHost & { readonly app: App };

export type SeenPlan = Seen & { readonly steps: readonly PlanStep[] };

export class FollowedEvidence implements ReactiveController {
  readonly #host: Host;
  #asked: PlanId | undefined;
  #kept: PlanProgress | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  /** Before each draw: once a plan ended, what was seen of it is read once. */
  hostUpdate(): void {
    const planId = this.#endedPlan();
    if (planId === this.#asked) return;
    this.#asked = planId;
    this.#kept = undefined;
    if (planId !== undefined) void this.#read(planId);
  }

  get(): SeenPlan {
    const open = this.#host.app.state.open.get();
    const now = open.status === "ready" ? open.plan?.now : undefined;
    if (now?.phase === "executing") return now;
    return this.#kept ?? { steps: now?.steps ?? [] };
  }

  #endedPlan(): PlanId | undefined {
    const open = this.#host.app.state.open.get();
    const plan = open.status === "ready" ? open.plan : undefined;
    return plan?.now.phase === "off" && plan.now.left !== "never" ? plan.past?.at(-1)?.planId : undefined;
  }

  async #read(planId: PlanId): Promise<void> {
    try {
      const { progress } = await this.#host.app.call("plans.progress", { planId });
      if (planId !== this.#asked) return;
      this.#kept = progress ?? undefined;
      this.#host.requestUpdate();
    } catch {
      if (planId === this.#asked) this.#asked = undefined; // the next draw asks again
    }
  }
}
