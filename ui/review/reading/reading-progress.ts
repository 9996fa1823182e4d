/** Where a person is in a plan, and what of it they have read: a part counts as read once it was in sight for a moment. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { SessionId } from "../../../src/protocol/ids.ts";
import type { PlanRevision } from "../../../src/plan-mode/protocol/plan.ts";
import type { Place } from "../notes/places.ts";
import { keepMarks, marksOf, newParts, partsOf, readMarks, type ReadMarks } from "./read-marks.ts";

const READ_AFTER_MS = 1_000;
/** What only shows at the very edge is not read yet. Above, that is as high as what a link leads to is put, and a little more. */
const ABOVE_REM = 6.25;
const BELOW = "-15%";

type Host = ReactiveControllerHost & HTMLElement & { readonly renderRoot: ParentNode & Node };

/** Only the list itself: the plan stays where it is. */
function scrollInside(link: HTMLElement): void {
  const list = link.parentElement;
  if (list === null) return;
  const [own, around] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.top < around.top) list.scrollTop += own.top - around.top;
  else if (own.bottom > around.bottom) list.scrollTop += own.bottom - around.bottom;
}

export class ReadingProgress implements ReactiveController {
  readonly #host: Host;
  #observer: IntersectionObserver | undefined;
  #observed = new WeakSet<Element>();
  readonly #inSight = new Set<Place>();
  readonly #timers = new Map<Place, ReturnType<typeof setTimeout>>();
  #sessionId: SessionId | undefined;
  #plan: PlanRevision | undefined;
  #order: readonly Place[] = [];
  #marks: ReadonlyMap<Place, string> = new Map();
  #read = new Set<string>();
  /** The revision that they had looked at before this one; 0: none. */
  before = 0;
  /** Parts that are new to them; they stay so while this revision is looked at. */
  fresh: ReadonlySet<Place> = new Set();
  /** The part at the top of what is in sight. */
  current: Place | undefined;
  /** The one whose link was brought into sight last. */
  #linked: Place | undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  follow(sessionId: SessionId, plan: PlanRevision): void {
    this.#sessionId = sessionId;
    this.#plan = plan;
    this.#order = partsOf(plan.body);
    this.#marks = marksOf(plan.body);
    const known: ReadMarks = readMarks(sessionId);
    this.#read = new Set(known.read);
    this.fresh = newParts(plan, known);
    this.before = known.revision;
    this.#inSight.clear();
    this.#linked = undefined;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  isRead(place: Place): boolean {
    const mark = this.#marks.get(place);
    return mark === undefined || this.#read.has(mark);
  }

  /** The next one that is new, behind where they are; from the beginning again after the last. */
  nextFresh(): Place | undefined {
    const at = this.current === undefined ? -1 : this.#order.indexOf(this.current);
    const isNext = (place: Place): boolean => this.fresh.has(place) && !this.isRead(place);
    const behind = this.#order.slice(at + 1).find(isNext);
    return behind ?? this.#order.find(isNext) ?? this.#order.find((place) => this.fresh.has(place));
  }

  hostConnected(): void {
    const above = ABOVE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const root = this.#host.closest(".scroll"); // measured from there, however high what stands above it is
    const rootMargin = `-${above}px 0px ${BELOW} 0px`;
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { root, rootMargin });
    this.#observed = new WeakSet();
  }

  hostUpdated(): void {
    for (const part of this.#host.renderRoot.querySelectorAll<HTMLElement>("[data-place]")) {
      if (this.#observed.has(part)) continue;
      this.#observed.add(part);
      this.#observer?.observe(part);
    }
    if (this.current === this.#linked) return; // looking where a link is lays out the whole plan
    const link = this.#host.renderRoot.querySelector<HTMLElement>(".outline [aria-current]");
    if (link === null) return;
    this.#linked = this.current;
    scrollInside(link);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own templates wrote it
      const place = (target instanceof HTMLElement ? target.dataset["place"] : undefined) as Place | undefined;
      if (place === undefined || !this.#marks.has(place)) continue;
      if (isIntersecting) this.#begin(place);
      else this.#leave(place);
    }
    const current = this.#order.find((place) => this.#inSight.has(place)) ?? this.current;
    if (current === this.current) return;
    this.current = current;
    this.#host.requestUpdate();
  }

  #begin(place: Place): void {
    this.#inSight.add(place);
    if (this.isRead(place) || this.#timers.has(place)) return;
    this.#timers.set(
      place,
      setTimeout(() => this.#mark(place), READ_AFTER_MS),
    );
  }

  #leave(place: Place): void {
    this.#inSight.delete(place);
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
  }

  #mark(place: Place): void {
    this.#timers.delete(place);
    const mark = this.#marks.get(place);
    if (mark === undefined || this.#plan === undefined || this.#sessionId === undefined) return;
    this.#read.add(mark);
    const isNewest = this.#plan.revision >= this.before;
    const { revision, seen } = isNewest
      ? { revision: this.#plan.revision, seen: [...this.#marks.values()] }
      : readMarks(this.#sessionId);
    keepMarks(this.#sessionId, { revision, seen, read: [...this.#read] });
    this.#host.requestUpdate();
  }
}
