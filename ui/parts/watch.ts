/** Draws an element again whenever one of the given sources changes, for as long as it is in the page. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Readable } from "../state/cell.ts";

export function watch(host: ReactiveControllerHost, ...sources: readonly Readable<unknown>[]): void {
  let stops: (() => void)[] = [];
  const controller: ReactiveController = {
    hostConnected() {
      stops = sources.map((source) => source.subscribe(() => host.requestUpdate()));
    },
    hostDisconnected() {
      for (const stop of stops.splice(0)) stop();
    },
  };
  host.addController(controller);
}
