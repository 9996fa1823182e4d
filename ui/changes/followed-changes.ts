/** What a plan of a session changed, for as long as an element shows it: read again whenever something was recorded. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { PlanChanges } from "../../src/changes/protocol/changes.ts";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { CycleId, SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";

type Host = ReactiveControllerHost & { readonly app: App; readonly isConnected: boolean };

export type ShownChanges =
  | { status: "loading" }
  | { status: "failed" }
  /** The session was deleted, and the record with it. */
  | { status: "gone" }
  | { status: "ready"; changes: PlanChanges | null };

/** Facts after which something may look different. */
const NEWS = /^(?:changes\.|plan\.|turn\.finished)/;

/** The newest plan of a session that changed something, unless one is named by its cycle. */
export type ChangesOf = { sessionId: SessionId; cycleId?: CycleId };

export class FollowedChanges implements ReactiveController {
  readonly #host: Host;
  #of: ChangesOf | undefined;
  #now: ShownChanges = { status: "loading" };
  #isReading = false;
  #isStale = false;
  #stop = (): void => undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#stop();
    this.#of = undefined;
  }

  get(): ShownChanges {
    return this.#now;
  }

  /** To be called before each draw. */
  follow(wanted: ChangesOf | undefined): void {
    if (isSame(wanted, this.#of) || !this.#host.isConnected) return;
    this.#stop();
    this.#stop = () => undefined;
    this.#of = wanted;
    this.#now = { status: "loading" };
    if (wanted === undefined) return;
    const { sessionId } = wanted;
    const { on, connection } = this.#host.app.state;
    const stops = [
      on("*", ({ event, payload }) => {
        if (payload["sessionId"] === sessionId && NEWS.test(event)) void this.read();
      }),
      connection.subscribe(() => {
        if (connection.get().status === "online") void this.read();
      }),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
    void this.read();
  }

  /** One request at a time: what happens meanwhile is read once more after it. */
  async read(): Promise<void> {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        await this.#readOnce();
      } while (this.#isStale);
    } finally {
      this.#isReading = false;
    }
  }

  async #readOnce(): Promise<void> {
    const wanted = this.#of;
    if (wanted === undefined) return;
    try {
      const { changes } = await this.#host.app.call("changes.get", wanted);
      if (wanted === this.#of) this.#now = { status: "ready", changes };
    } catch (error) {
      if (wanted !== this.#of) return;
      if (error instanceof HoldpointError && error.code === "SESSION_NOT_FOUND") this.#now = { status: "gone" };
      else if (this.#now.status === "loading") this.#now = { status: "failed" };
    }
    this.#host.requestUpdate();
  }
}

const isSame = (one: ChangesOf | undefined, other: ChangesOf | undefined): boolean =>
  one?.sessionId === other?.sessionId && one?.cycleId === other?.cycleId;
