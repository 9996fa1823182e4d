/** The parts of the client that the page's state needs. */
import type { HoldpointClient } from "../../src/client/client.ts";

/** What parts of the state need of a connection. */
export type Calling = Pick<HoldpointClient, "call">;
export type Following = Pick<HoldpointClient, "call" | "on" | "subscribe" | "unsubscribe">;
