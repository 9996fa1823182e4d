/**
 * A kept run whose hooks tell of its calls: the first one that is refused becomes the card.
 *
 *   call ─▶ gate ─▶ refused ─▶ card with what was tried ─▶ waited for ─▶ the same call again
 */
import type { CallDecision, CallRequest, ExternalPlace } from "../protocol/external/decisions.ts";
import type { Asking, Decisions } from "./decisions.ts";
import { OWN_FOLDER_RULE } from "./outside-tools.ts";
import { proposedPlan } from "./proposed-plan.ts";

const TRIED_CHARS_MAX = 500;

/** A service for one kept run: the first refusal opens a card, and the call waits for what people say. */
export function withProposals(service: Decisions, place: ExternalPlace, proposes: string): Decisions {
  let isShown = false; // the card of the start says nothing yet of what it tries
  let isRejected = false; // who was told no is not asked again by the same program
  return {
    ...service,
    async call(request, asking) {
      const first = await service.call(request, asking);
      if (!isHeldUp(first) || isRejected) return first;
      const waitMs = request.waitMs ?? 0;
      const isNew = first.status === "held" || !isShown;
      isShown = true;
      const plan = proposedPlan(place, { proposes, tried: triedBy(request) });
      const decision = isNew
        ? await service.propose({ ...place, plan, waitMs }, stays(asking))
        : await service.wait({ ...place, waitMs }, stays(asking));
      isRejected = "outcome" in decision && decision.outcome === "rejected";
      const second = await service.call(request, asking);
      return second.decision === "allow" ? second : { ...second, reason: decision.message || second.reason };
    },
  };
}

/** Whether a plan could change the answer. */
const isHeldUp = ({ decision, status, rule }: CallDecision): boolean =>
  decision === "deny" && rule !== OWN_FOLDER_RULE && (status === "held" || status === "pending");

/** The card is about the whole run, so it stays when one of its calls is given up. */
const stays = ({ signal }: Asking): Asking => ({ signal, withdraw: false });

function triedBy({ tool, args }: CallRequest): string {
  const [about] = [args["command"], args["path"], args["patch"]].filter((one) => typeof one === "string");
  return `${tool}: ${typeof about === "string" ? about : JSON.stringify(args)}`.slice(0, TRIED_CHARS_MAX);
}
