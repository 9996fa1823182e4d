/** What the kernel would answer to a system call under a filter: classic BPF, as far as our filters use it. */
export const ALLOWED = "allowed";

export type SystemCall = { arch: number; call: number; args?: readonly number[] };

export function judged(filter: Uint8Array, data: SystemCall): string {
  const view = new DataView(filter.buffer);
  const words = new Map([
    [0, data.call],
    [4, data.arch],
    ...(data.args ?? []).map((arg, at) => [16 + 8 * at, arg] as const),
  ]);
  let held = 0;
  for (let at = 0; at * 8 < filter.length; at++) {
    const [code, yes, no] = [view.getUint16(at * 8, true), view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)];
    const value = view.getUint32(at * 8 + 4, true);
    if (code === 0x20) held = (words.get(value) ?? 0) >>> 0;
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x15) at += held === value ? yes : no;
    else if (code === 0x35) at += held >= value ? yes : no;
    else if (code === 0x06) return value === 0x7fff_0000 ? ALLOWED : `errno ${value & 0xffff}`;
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("it ends without an answer");
}
