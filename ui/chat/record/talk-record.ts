/** The decisions of the open session for the conversation; loaded after its first picture, with the texts that they need. */
import type { ReactiveControllerHost } from "lit";
import type { App } from "../../app/app.ts";
import { FollowedTimeline } from "../../run/followed-timeline.ts";
import type { ReadySession } from "../../state/open-session.ts";
import type { Timeline } from "../../state/record/timeline.ts";
import type { TalkEvent } from "./talk-event.ts";
import { entryN, talkEvents } from "./talk-events.ts";

type Host = ReactiveControllerHost & { readonly app: App; readonly isConnected: boolean };

const NONE: readonly TalkEvent[] = [];

export class TalkRecord {
  readonly #timeline: FollowedTimeline;
  #made: { items: Timeline["items"]; events: readonly TalkEvent[] } = { items: [], events: NONE };
  #isReading = false;

  constructor(host: Host) {
    this.#timeline = new FollowedTimeline(host);
  }

  /** To be called before each draw: the same list while nothing has happened. */
  eventsOf({ id, items, hasEarlier }: ReadySession): readonly TalkEvent[] {
    this.#timeline.follow(id);
    const timeline = this.#timeline.get();
    if (timeline === undefined) return NONE;
    if (this.#made.items !== timeline.items) this.#made = { items: timeline.items, events: talkEvents(timeline.items) };
    this.#reachBack(timeline, hasEarlier ? (items[0]?.n ?? 1) : 1);
    return this.#made.events;
  }

  /** As far back as the conversation was read, and no further. */
  #reachBack({ status, before, items }: Timeline, firstN: number): void {
    const known = items.map(entryN).find((n) => n !== undefined) ?? Number.POSITIVE_INFINITY;
    if (status !== "ready" || before === null || known <= firstN || this.#isReading) return;
    this.#isReading = true;
    void this.#timeline.earlier().finally(() => (this.#isReading = false));
  }
}
