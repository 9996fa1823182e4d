/** A person in a test, with a connection and scopes of their own, who reconnects after a restart of the gateway. */
import { connectHoldpoint, type HoldpointClient } from "../client/client.ts";
import type { Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import { createTestSession, type Following, type Inside, type TestSession } from "./test-session.ts";

export type PersonOptions = { name: string; scopes: readonly Scope[] };

export type TestPerson = {
  readonly name: string;
  readonly client: HoldpointClient;
  /** A new session of theirs; with an id, that session as they see it. */
  session(id?: string): Promise<TestSession>;
};

export type Connection = {
  person: TestPerson;
  client(): HoldpointClient;
  leave(): void;
  /** Connects again, to wherever the gateway is now, and goes on following what was followed. */
  come(url: string): Promise<void>;
};

type Address = { url: string; token: string };

export async function connectPerson(address: Address, { name }: PersonOptions, inside: Inside): Promise<Connection> {
  const followed: Following[] = [];
  let client: HoldpointClient | undefined;
  const connected = (): HoldpointClient => {
    if (client === undefined) throw new Error("The test gateway does not run: call restart().");
    return client;
  };
  async function come(url: string): Promise<void> {
    const made = connectHoldpoint({ url, token: address.token, clientName: name, surface: "cli", reconnect: false });
    await made.ready();
    made.on("*", (event) => {
      for (const one of followed) one.onEvent(event);
    });
    client = made;
    for (const one of followed) await one.follow(made);
  }
  async function session(id?: string): Promise<TestSession> {
    const sessionId = id ?? (await connected().call("sessions.create", {})).session.id;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway parses it, and refuses what is no id
    const one = createTestSession({ id: sessionId as SessionId, client: connected, ...inside });
    followed.push(one.following);
    await one.following.follow(connected());
    return one.session;
  }
  await come(address.url);
  return {
    client: connected,
    person: {
      name,
      get client() {
        return connected();
      },
      session,
    },
    leave() {
      client?.close();
      client = undefined;
    },
    come,
  };
}
