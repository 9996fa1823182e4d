/** The revisions of one session's plan, followed while the review of it is in the page, and the lease of whoever reads it. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { PlanId, SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";
import { keepReading } from "../cards/reading-lease.ts";
import { until } from "../state/cell.ts";
import {
  createPlanReview,
  latestOf,
  type PlanReview,
  type PlanReviewState,
  type ReadyReview,
} from "../state/plan-review.ts";

type Host = ReactiveControllerHost & { readonly app: App };

export class FollowedReview implements ReactiveController {
  readonly #host: Host;
  #sessionId: SessionId | undefined;
  #review: PlanReviewState | undefined;
  #stopReview = (): void => undefined;
  #stopReading = (): void => undefined;
  #seenRevision = 0;
  /** The approval that is being read; empty: none. */
  reading = "";

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.follow(undefined);
    this.read(undefined);
  }

  get isFollowing(): boolean {
    return this.#review !== undefined;
  }

  get now(): PlanReview | undefined {
    return this.#review?.get();
  }

  get ready(): ReadyReview | undefined {
    return this.now?.status === "ready" ? this.now : undefined;
  }

  follow(sessionId: SessionId | undefined): void {
    this.#stopReview();
    this.#review?.close();
    this.#review = undefined;
    this.#sessionId = sessionId;
    this.#seenRevision = 0;
    if (sessionId === undefined) return;
    const { call, open } = this.#host.app.state;
    const review = createPlanReview({ call, open }, sessionId);
    this.#stopReview = review.subscribe(() => this.#host.requestUpdate());
    this.#review = review;
  }

  show(planId: PlanId): void {
    this.#review?.show(planId);
  }

  again(): void {
    this.#review?.again();
  }

  /** Somebody reads: the countdown stands still. */
  read(approvalId: string | undefined): void {
    if (this.reading === (approvalId ?? "")) return;
    this.#stopReading();
    this.reading = approvalId ?? "";
    const sessionId = this.#sessionId;
    this.#stopReading =
      approvalId === undefined || sessionId === undefined
        ? () => undefined
        : keepReading(this.#host.app, { sessionId, approvalId });
  }

  /** A revision that came since the last look, once; undefined: none, or a person's own edition. */
  arrived(): number | undefined {
    const review = this.ready;
    if (review === undefined) return undefined;
    const { revision, author } = latestOf(review);
    const isNew = this.#seenRevision > 0 && revision > this.#seenRevision;
    this.#seenRevision = revision;
    return isNew && author?.kind !== "operator" ? revision : undefined;
  }

  /** Resolves when what is being read now is there, or could not be read. */
  async settled(): Promise<void> {
    await this.#review?.settled();
  }

  /** Resolves when there is something to look at, or nothing ever will be. */
  async loaded(): Promise<void> {
    if (this.#review !== undefined) await until(this.#review, ({ status }) => status !== "loading");
  }
}
