/** A text that stands in pieces, as the bytes that a disk or a socket takes: the whole is never put together as a string. */

/** `take` makes room for so many bytes or more. */
export function textBytes(pieces: readonly string[], take: (bytes: number) => Buffer = Buffer.allocUnsafe): Buffer {
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  const room = take(bytes);
  let at = 0;
  for (const piece of pieces) at += room.write(piece, at);
  return room.subarray(0, at);
}
