/** What a person should know before reading on: that another revision is newer, or that an edition of theirs was kept. */
import { html, nothing, type TemplateResult } from "lit";
import type { PlanId } from "../../src/protocol/ids.ts";
import { t } from "../i18n/t.ts";
import { latestOf, type ReadyReview } from "../state/plan-review.ts";

type Doing = {
  /** Undefined: nothing was kept, or it cannot be taken up here. */
  onResume: (() => void) | undefined;
  onShow(planId: PlanId): void;
};

export function beforeReading(review: ReadyReview, { onResume, onShow }: Doing): TemplateResult {
  const newest = latestOf(review);
  const { revision } = review.shown;
  return html`${
    review.shown === newest
      ? nothing
      : line(t("review.revisionOld", { revision, newest: newest.revision }), t("review.showNewest"), () =>
          onShow(newest.planId),
        )
  }
  ${onResume === undefined ? nothing : line(t("review.draftKept"), t("review.resume"), onResume)}`;
}

const line = (words: string, button: string, run: () => void): TemplateResult =>
  html`<div class="told waiting">
    <span class="grow">${words}</span>
    <button class="button" @click=${run}>${button}</button>
  </div>`;
