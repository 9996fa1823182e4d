/**
 * Room for the documents that travel to the writer's thread as bytes. They are handed over, not copied, and come back with
 * the answer: memory that is used again need not be given by the system, nor be found by a collector.
 */

/** Room is made in steps of this size, so that a document that grows a little finds it again. */
const STEP_BYTES = 65_536;
/** More or larger ones than this are not kept. */
const SPARE_MAX = 4;
const SPARE_BYTES_MAX = 1_048_576;

export type SpareBuffers = {
  /** Of so many bytes or more, with anything in them. */
  take(bytes: number): Buffer;
  putBack(buffers: readonly ArrayBuffer[]): void;
};

export function createSpareBuffers(): SpareBuffers {
  const spare: ArrayBuffer[] = [];
  return {
    take(bytes) {
      const at = spare.findIndex(({ byteLength }) => byteLength >= bytes);
      const [found] = at === -1 ? spare.splice(0, 1) : spare.splice(at, 1); // one that is too small makes place for a larger one
      if (found !== undefined && found.byteLength >= bytes) return Buffer.from(found);
      return Buffer.from(new ArrayBuffer(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES));
    },
    putBack(buffers) {
      for (const one of buffers)
        if (spare.length < SPARE_MAX && one.byteLength <= SPARE_BYTES_MAX && one.byteLength > 0) spare.push(one);
    },
  };
}
