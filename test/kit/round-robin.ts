/** A balancer in front of several gateways: each connection goes to the next one, and past one that does not answer. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type RoundRobin = {
  port: number;
  /** In the order in which connections go to them; the first comes first again. */
  targets: { port: number }[];
  /** How many connections each target has taken. */
  taken(): number[];
  close(): Promise<void>;
};

export async function roundRobin(): Promise<RoundRobin> {
  const targets: { port: number }[] = [];
  const counts: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;

  async function lead(near: Socket): Promise<void> {
    for (let tries = 0; tries < targets.length; tries++) {
      const index = turn++ % targets.length;
      const far = connect({ host: "127.0.0.1", port: targets[index]?.port ?? 0 });
      track(far);
      const isOpen = await Promise.race([
        once(far, "connect").then(
          () => true,
          () => false,
        ),
        once(far, "close").then(() => false),
      ]);
      if (!isOpen) continue;
      counts[index] = (counts[index] ?? 0) + 1;
      return join(near, far);
    }
    near.destroy();
  }

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    track(near);
    void lead(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the balancer has no port");
  return {
    port: address.port,
    targets,
    taken: () => targets.map((_, index) => counts[index] ?? 0),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function join(near: Socket, far: Socket): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    socket.pipe(other);
    socket.on("close", () => other.destroy());
  }
}
