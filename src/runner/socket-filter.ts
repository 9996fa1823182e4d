/**
 * A filter of system calls for what only reads (GA-13): it makes no AF_UNIX socket, whatever name a service listens under
 * and whenever it began to, and none of a family that no namespace of networks holds: AF_VSOCK leads to the host of a
 * virtual machine. Sockets that are born connected to each other stay, programs talk to their children by them;
 * a pair of datagram sockets could still be pointed at a name, so there is none. io_uring would make sockets without these
 * calls, and the keyrings of the kernel hold keys of the person in no file.
 *
 * Assembled here as the kernel takes it (classic BPF over `struct seccomp_data`), because no library comes with Node.
 */
import { filterCodes } from "./filter-codes.ts";

const { ALLOW, AND, DATA, ENOSYS, EPERM, FAIL_WITH, IF_AT_LEAST, IF_EQUAL, LOAD, RETURN, TYPE_BITS, X32 } = filterCodes;

const EAFNOSUPPORT = 97;

const AF_UNIX = 1;
/** Internet, both versions, and questions to the kernel about it: in a network of its own they lead nowhere else. */
const OF_NETWORKS = [2, 10, 16];
const STREAM = 1;
const SEQPACKET = 5;
/** The same numbers on every architecture that is named here. */
const NEW_CALLS = { io_uring_setup: 425 } as const;

type Calls = {
  audit: number;
  socket: number;
  socketpair: number;
  keys: readonly number[];
  unreadable: readonly number[];
};

/** `unreadable`: calls whose arguments lie in memory, where a filter cannot look. */
const X64: Calls = { audit: 0xc000_003e, socket: 41, socketpair: 53, keys: [248, 249, 250], unreadable: [] };
const I386: Calls = { audit: 0x4000_0003, socket: 359, socketpair: 360, keys: [286, 287, 288], unreadable: [102] };
const ARM64: Calls = { audit: 0xc000_00b7, socket: 198, socketpair: 199, keys: [217, 218, 219], unreadable: [] };
const ARM: Calls = { audit: 0x4000_0028, socket: 281, socketpair: 288, keys: [309, 310, 311], unreadable: [102] };

/** By what Node calls the machine: its own calls, and those of the older programs that it runs as well. */
const MACHINES: Readonly<Record<string, readonly Calls[]>> = { x64: [X64, I386], arm64: [ARM64, ARM] };

export type FilterStep = { code: number; value: number; label?: string; to?: string; otherwise?: string };

const load = (offset: number, label?: string): FilterStep => ({ code: LOAD, value: offset, ...named(label) });
const ifEqual = (value: number, to: string, otherwise?: string): FilterStep => ({
  code: IF_EQUAL,
  value,
  to,
  ...orElse(otherwise),
});
const end = (label: string, value: number): FilterStep => ({ code: RETURN, value, label });
const named = (label: string | undefined) => (label === undefined ? {} : { label });
const orElse = (otherwise: string | undefined) => (otherwise === undefined ? {} : { otherwise });

const labelOf = ({ audit }: Calls): string => audit.toString(16);

const callsOf = (calls: Calls): FilterStep[] => [
  load(DATA.call, labelOf(calls)),
  ...(calls === X64 ? [{ code: IF_AT_LEAST, value: X32, to: "unknown" }] : []),
  ifEqual(calls.socket, "socket"),
  ifEqual(calls.socketpair, "pair"),
  ...calls.keys.map((call) => ifEqual(call, "denied")),
  ...[...calls.unreadable, ...Object.values(NEW_CALLS)].map((call) => ifEqual(call, "unknown")),
  { code: RETURN, value: ALLOW },
];

let ofThisMachine: { filter: Uint8Array | undefined } | undefined;

/** Undefined on a machine whose calls are not known here: there hidden names are all there is. */
export const socketFilter = (): Uint8Array | undefined =>
  (ofThisMachine ??= { filter: socketFilterFor(process.arch) }).filter;

/** By what Node calls a machine. */
export function socketFilterFor(machine: string): Uint8Array | undefined {
  const known = MACHINES[machine];
  if (known === undefined) return undefined;
  return assembled([
    load(DATA.architecture),
    ...known.map((calls) => ifEqual(calls.audit, labelOf(calls))),
    { code: RETURN, value: FAIL_WITH | ENOSYS },
    ...known.flatMap(callsOf),
    load(DATA.first, "socket"),
    ...OF_NETWORKS.map((family) => ifEqual(family, "allowed")),
    { code: RETURN, value: FAIL_WITH | EAFNOSUPPORT },
    load(DATA.first, "pair"),
    ifEqual(AF_UNIX, "type", "allowed"),
    load(DATA.second, "type"),
    { code: AND, value: TYPE_BITS },
    ifEqual(STREAM, "allowed"),
    ifEqual(SEQPACKET, "allowed", "unsupported"),
    end("allowed", ALLOW),
    end("unknown", FAIL_WITH | ENOSYS),
    end("denied", FAIL_WITH | EPERM),
    end("unsupported", FAIL_WITH | EAFNOSUPPORT),
  ]);
}

const STEP_BYTES = 8;

/** Each step as `struct sock_filter`; a jump says how many steps it skips. */
export function assembled(steps: readonly FilterStep[]): Uint8Array {
  const distance = (from: number, label: string | undefined): number => {
    if (label === undefined) return 0;
    const skipped = steps.findIndex((step) => step.label === label) - from - 1;
    if (skipped < 0) throw new Error(`${label} does not lie ahead`); // the kernel knows no way back
    return skipped;
  };
  const bytes = new DataView(new ArrayBuffer(steps.length * STEP_BYTES));
  for (const [at, { code, value, to, otherwise }] of steps.entries()) {
    bytes.setUint16(at * STEP_BYTES, code, true);
    bytes.setUint8(at * STEP_BYTES + 2, distance(at, to));
    bytes.setUint8(at * STEP_BYTES + 3, distance(at, otherwise));
    bytes.setUint32(at * STEP_BYTES + 4, value >>> 0, true);
  }
  return new Uint8Array(bytes.buffer);
}
