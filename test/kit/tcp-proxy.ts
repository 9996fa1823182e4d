/** A line to a server on loopback that a test can reset, cut or slow down, as a firewall or a machine that dies would. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** Every open connection ends with RST on both sides; new ones are taken as before. */
  reset(): void;
  /** The server's side of every open connection is gone; the near side learns of it by RST when it next sends. */
  cutUnnoticed(): void;
  /** From now on nothing passes in these directions, and nobody is told: bytes are swallowed, new connections never speak. */
  swallow(what?: { toServer?: boolean; fromServer?: boolean }): void;
  /** What was swallowed stays lost, so connections from before end; new ones pass. */
  restore(): void;
  close(): Promise<void>;
};

/** Listens on a port that is free, or on the given one. */
export async function openTcpProxy(target: { host: string; port: number }, port = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const fars = new Set<Socket>();
  const cut = new WeakSet<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket)); // "close" follows, and says enough
  };
  let lost = { toServer: false, fromServer: false };
  const server = createServer((near) => {
    const far = connect(target);
    fars.add(far);
    far.on("close", () => fars.delete(far));
    for (const [socket, other, way] of [
      [near, far, "toServer"],
      [far, near, "fromServer"],
    ] as const) {
      track(socket);
      socket.on("data", (chunk: Buffer) => {
        if (lost[way]) return;
        if (cut.has(other)) socket.resetAndDestroy();
        else if (!other.write(chunk)) socket.pause();
      });
      other.on("drain", () => socket.resume());
      socket.on("end", () => void (lost[way] || other.end()));
      socket.on("close", () => void (lost[way] || cut.has(socket) || other.destroy()));
    }
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    port: address.port,
    reset,
    cutUnnoticed() {
      for (const far of fars) {
        cut.add(far);
        far.destroy();
      }
    },
    swallow({ toServer = true, fromServer = true } = {}) {
      lost = { toServer, fromServer };
    },
    restore() {
      lost = { toServer: false, fromServer: false };
      reset();
    },
    async close() {
      lost = { toServer: false, fromServer: false };
      reset();
      server.close();
      await once(server, "close");
    },
  };
}
