/** Waits for a server that is not there yet: after a power cut everything starts at once, and the slowest is the database. */
import { Client } from "pg";
import { ConnectionError, isAnswer, type Patience, sqlState } from "./connections.ts";

const TRY_EVERY_MS = 500;
const TOO_MANY_CONNECTIONS = "53300";

/** Returns when the server takes connections. What waiting cannot mend (a wrong password, no such database) throws at once. */
export async function awaitServer(url: string, { waitMs, connectMsMax, onWaiting }: Patience): Promise<void> {
  const untilMs = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    const error = await refusalOf(url, connectMsMax);
    if (error === undefined) return;
    if (!isPassing(error)) throw error;
    if (performance.now() >= untilMs) throw new ConnectionError(false, error);
    if (tries === 0) onWaiting(error.message);
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
}

async function refusalOf(url: string, connectMsMax: number): Promise<Error | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMsMax });
  client.on("error", () => undefined); // the attempt fails with the same error
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error("the connection was refused");
  } finally {
    await client.end().catch(() => undefined);
  }
}

const isPassing = (error: Error): boolean => !isAnswer(error) || sqlState(error) === TOO_MANY_CONNECTIONS;
