/** What the plan of a session changed, for as long as an element shows it: read again whenever something was recorded. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { PlanChanges } from "../../src/changes/protocol/changes.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { App } from "../app/app.ts";

type Host = ReactiveControllerHost & { readonly app: App; readonly isConnected: boolean };

export type ShownChanges =
  | { status: "loading" }
  | { status: "failed" }
  | { status: "ready"; changes: PlanChanges | null };

/** Facts after which something may look different. */
const NEWS = /^(?:changes\.|plan\.|turn\.finished)/;

export class FollowedChanges implements ReactiveController {
  readonly #host: Host;
  #of: SessionId | undefined;
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
  follow(sessionId: SessionId | undefined): void {
    if (sessionId === this.#of || !this.#host.isConnected) return;
    this.#stop();
    this.#of = sessionId;
    this.#now = { status: "loading" };
    if (sessionId === undefined) return;
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
    const sessionId = this.#of;
    if (sessionId === undefined) return;
    try {
      const { changes } = await this.#host.app.call("changes.get", { sessionId });
      if (sessionId === this.#of) this.#now = { status: "ready", changes };
    } catch {
      if (this.#now.status === "loading") this.#now = { status: "failed" };
    }
    this.#host.requestUpdate();
  }
}
