/** What is known of the rooms that we are in: whether only one person is there, and whether it is encrypted. */
import { z } from "zod";
import { type CallMatrix, MatrixError } from "./matrix-api.ts";

const ROOMS_MAX = 10_000;
const Members = z.object({ joined: z.record(z.string(), z.unknown()) });

export type Room = { direct: boolean; encrypted: boolean };
export type Rooms = {
  look(roomId: string): Promise<Room>;
  /** Its members or its encryption changed. */
  forget(roomId: string): void;
};

export const roomPath = (roomId: string): string => `/client/v3/rooms/${encodeURIComponent(roomId)}`;

export function createRooms(call: CallMatrix, signal: AbortSignal): Rooms {
  const known = new Map<string, Promise<Room>>();
  async function ask(roomId: string): Promise<Room> {
    const { joined } = await call({ path: `${roomPath(roomId)}/joined_members`, method: "GET", signal }, Members);
    return { direct: Object.keys(joined).length <= 2, encrypted: await isEncrypted(roomId) };
  }
  async function isEncrypted(roomId: string): Promise<boolean> {
    try {
      await call({ path: `${roomPath(roomId)}/state/m.room.encryption/`, method: "GET", signal }, z.unknown());
      return true;
    } catch (error) {
      if (error instanceof MatrixError && error.errcode === "M_NOT_FOUND") return false;
      throw error;
    }
  }
  return {
    look(roomId) {
      const found = known.get(roomId) ?? ask(roomId);
      known.delete(roomId); // the longest unused stand first
      known.set(roomId, found);
      if (known.size > ROOMS_MAX) known.delete([...known.keys()][0] ?? "");
      void found.catch(() => known.delete(roomId));
      return found;
    },
    forget: (roomId) => void known.delete(roomId),
  };
}
