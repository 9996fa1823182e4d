/**
 * The timeline of one session for as long as an element shows it: read when the element comes into the page or turns to
 * another session, released when it leaves, and the element drawn again whenever something happened.
 */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";
import { createTimeline, type Timeline, type TimelineState } from "../state/record/timeline.ts";

type Host = ReactiveControllerHost & { readonly app: App; readonly isConnected: boolean };

export class FollowedTimeline implements ReactiveController {
  readonly #host: Host;
  readonly #onChange: (timeline: Timeline) => void;
  #timeline: TimelineState | undefined;
  #of: SessionId | undefined;
  #stop = (): void => undefined;

  /** `onChange` is called at each change before the element is drawn. */
  constructor(host: Host, onChange: (timeline: Timeline) => void = () => undefined) {
    this.#host = host;
    this.#onChange = onChange;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#forget();
  }

  /** To be called before each draw. True when it is another session's from now on. */
  follow(sessionId: SessionId | undefined): boolean {
    if (sessionId === this.#of || !this.#host.isConnected) return false;
    this.#forget();
    if (sessionId === undefined) return true;
    this.#of = sessionId;
    const { call, on, connection } = this.#host.app.state;
    const timeline = createTimeline({ call, on, connection }, sessionId);
    this.#timeline = timeline;
    this.#stop = timeline.subscribe(() => {
      this.#onChange(timeline.get());
      this.#host.requestUpdate();
    });
    return true;
  }

  get(): Timeline | undefined {
    return this.#timeline?.get();
  }

  /** Reads a page of older events; a failure is shown to the person. */
  async earlier(): Promise<void> {
    await this.#host.app.attempt(async () => this.#timeline?.earlier());
  }

  #forget(): void {
    this.#stop();
    this.#timeline?.close();
    this.#timeline = undefined;
    this.#of = undefined;
  }
}
