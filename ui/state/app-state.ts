/** All that the page knows, fed by one client. No document in here, so that a test reads it in Node. */
import type { ClientStatus, HoldpointClient } from "../../src/client/client.ts";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import { cell, type Readable } from "./cell.ts";
import { type Connection, connectionAfter } from "./connection.ts";
import { createDecider, type Decider } from "./decide.ts";
import { createDescriptors, type DescriptorsState } from "./descriptors.ts";
import { createOpenSession, type OpenSessionState } from "./open-session.ts";
import { createSessionList, type SessionListState } from "./session-list.ts";
import { createWaitingList, type WaitingListState } from "./waiting-list.ts";

export type AppState = {
  connection: Readable<Connection>;
  sessions: SessionListState;
  waiting: WaitingListState;
  open: OpenSessionState;
  decide: Decider;
  descriptors: DescriptorsState;
  call: HoldpointClient["call"];
  on: HoldpointClient["on"];
  close(): void;
};

/** `connect` gets the listener that the client has to tell about its ups and downs. */
export function createAppState(
  connect: (onStatus: (status: ClientStatus) => void) => HoldpointClient,
  onError: (error: unknown) => void,
): AppState {
  const connection = cell<Connection>({ status: "connecting" });
  const client = connect(onStatus);
  const sessions = createSessionList(client);
  const waiting = createWaitingList(client);
  const open = createOpenSession(client);
  client.on("sessions.changed", ({ payload }) => {
    sessions.heard(payload);
    waiting.heard(payload);
  });

  function onStatus(status: ClientStatus): void {
    if (status !== "open") return connection.change((before) => connectionAfter(before, status, undefined));
    void client
      .ready()
      .then(({ operator }) => {
        connection.change((before) => connectionAfter(before, status, operator));
        return readAll();
      })
      .catch(tell);
  }

  /** Notices that were missed are not sent again, so everything is read after each welcome. */
  async function readAll(): Promise<void> {
    await client.call("sessions.watch", {});
    await Promise.all([sessions.reload(), waiting.reload(), open.refresh()]);
  }

  /** While the connection is away its state says so; only what else goes wrong is told. */
  function tell(error: unknown): void {
    if (error instanceof HoldpointError && error.code === "UNAUTHENTICATED") {
      connection.set({ status: "signed-out", reason: error.message });
    } else if (client.status() === "open") {
      onError(error);
    }
  }

  client.ready().catch(tell);
  return {
    connection,
    sessions,
    waiting,
    open,
    decide: createDecider({ call: client.call, answered: open.answered }),
    descriptors: createDescriptors(client),
    call: client.call,
    on: client.on,
    close: client.close,
  };
}
