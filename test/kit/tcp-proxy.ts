/** A line to a server on loopback that a test can reset, as a firewall or a machine that dies would. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** Every open connection ends with RST on both sides; new ones are taken as before. */
  reset(): void;
  close(): Promise<void>;
};

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket)); // "close" follows, and says enough
  };
  const server = createServer((near) => {
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      track(socket);
      socket.pipe(other);
      socket.on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    port: address.port,
    reset,
    async close() {
      reset();
      server.close();
      await once(server, "close");
    },
  };
}
