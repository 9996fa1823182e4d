/** `/sessions/:sessionId/plan`: the review with everything to decide. `?edit=steps` begins with the editor, `#step-3` there. */
import { css, html, type TemplateResult } from "lit";
import { ViewElement } from "../app/app-element.ts";
import { sessionIdIn } from "../app/session/session-id.ts";
import { t } from "../i18n/t.ts";
import { marks } from "../parts/look/marks.ts";
import { until } from "../state/cell.ts";
import { base } from "../theme/base.ts";
import "../cards/unsent-words.ts";
import "./decide/at-a-glance.ts";
import "./decide/decision-bar.ts";
import { PlanReviewElement } from "./plan-review.ts";

class ReviewView extends ViewElement {
  static override styles = [
    base,
    marks,
    css`
      :host {
        display: block;
        block-size: 100%;
      }
    `,
  ];

  #stopKeys = (): void => undefined;
  #arrivedAt = "";

  protected override reads() {
    return [this.app.router];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopKeys = this.app.keys.add(
      { key: "n", does: "review.keyNote", run: () => this.#review?.askForNote() },
      { key: "[", does: "review.keyOlder", run: () => this.#review?.step(-1) },
      { key: "]", does: "review.keyNewer", run: () => this.#review?.step(1) },
      { key: "a", does: "review.keyDecide", run: () => this.#review?.toDecision() },
      { key: "e", does: "review.editing", run: () => void this.#review?.edit() },
      { key: "j", does: "review.nextStep", run: () => this.#review?.read("next") },
      { key: "k", does: "review.previousStep", run: () => this.#review?.read("previous") },
      { key: "u", does: "review.keyNew", run: () => this.#review?.read("new") },
      { key: "f", does: "review.find", run: () => this.#review?.read("find") },
      { key: "d", does: "review.keyChanges", run: () => this.#review?.showChanges() },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopKeys();
  }

  get #review(): PlanReviewElement | undefined {
    const found = this.renderRoot.querySelector("hp-plan-review");
    return found instanceof PlanReviewElement ? found : undefined;
  }

  protected override updated(): void {
    const place = this.app.router.get();
    const wanted = `${location.pathname}${location.search}${location.hash}`;
    if (place?.name !== "plan" || wanted === this.#arrivedAt) return;
    this.#arrivedAt = wanted;
    if (place.search.get("edit") === "steps") void this.#begin((review) => review.edit());
    else if (location.hash.length > 1) void this.#begin((review) => review.goTo(location.hash.slice(1)));
  }

  /** As soon as the session is there. */
  async #begin(work: (review: PlanReviewElement) => unknown): Promise<void> {
    const review = this.#review;
    await until(this.app.state.open, ({ status }) => status === "ready" || status === "missing");
    if (review === undefined) return;
    await review.shownPlan();
    if (this.isConnected) work(review);
  }

  protected override render(): TemplateResult {
    const sessionId = sessionIdIn(this.params["sessionId"]);
    if (sessionId === undefined) return html`<p class="empty">${t("review.none")}</p>`;
    return html`<hp-plan-review .app=${this.app} .sessionId=${sessionId}></hp-plan-review>`;
  }
}

customElements.define("hp-review-view", ReviewView);
