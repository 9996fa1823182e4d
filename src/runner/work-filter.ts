/**
 * A filter of system calls for what was approved: a second wall behind the capabilities that root does not keep. It makes no
 * socket that sees the frames of a network or forges them, loads no program into the kernel, and samples no processor as a
 * whole, by which the memory of other processes could be read. io_uring would make sockets without that call. Whoever writes
 * to the machine's audit log is told that there is none, as in a container: `su` goes on without it.
 *
 * 32-bit programs have a second call for sockets, whose arguments lie in memory, where a filter cannot look: it makes none.
 * Those that know the call with readable arguments (musl) use it then; those that do not (glibc of most systems) have no
 * network.
 */
import { filterCodes } from "./filter-codes.ts";
import { assembled, type FilterStep } from "./socket-filter.ts";

const { ALLOW, AND, DATA, ENOSYS, EPERM, FAIL_WITH, IF_AT_LEAST, IF_EQUAL, LOAD, RETURN, TYPE_BITS, X32 } = filterCodes;

const EPROTONOSUPPORT = 93;

const [AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_XDP] = [2, 10, 16, 17, 44];
const [RAW, OLD_PACKET] = [3, 10];
const NETLINK_AUDIT = 9;
/** Instead of a process: all of them. */
const EVERY_PROCESS = 0xffff_ffff;
/** The number is no process but a group of them. */
const OF_A_GROUP = 4;
/** The same number on every architecture that is named here. */
const IO_URING_SETUP = 425;

/** Of `socketcall`: what its first argument asks for. */
const MAKE_SOCKET = 1;

/** `unreadable`: the call for everything about sockets, whose further arguments lie in memory. */
type Calls = { audit: number; socket: number; bpf: number; sampling: number; unreadable?: number };

const X64: Calls = { audit: 0xc000_003e, socket: 41, bpf: 321, sampling: 298 };
const I386: Calls = { audit: 0x4000_0003, socket: 359, bpf: 357, sampling: 336, unreadable: 102 };
const ARM64: Calls = { audit: 0xc000_00b7, socket: 198, bpf: 280, sampling: 241 };
const ARM: Calls = { audit: 0x4000_0028, socket: 281, bpf: 386, sampling: 364, unreadable: 102 };

/** By what Node calls the machine: its own calls, and those of the older programs that it runs as well. */
const MACHINES: Readonly<Record<string, readonly Calls[]>> = { x64: [X64, I386], arm64: [ARM64, ARM] };

const load = (value: number, label?: string): FilterStep => ({
  code: LOAD,
  value,
  ...(label === undefined ? {} : { label }),
});
const ifEqual = (value: number, to: string): FilterStep => ({ code: IF_EQUAL, value, to });
const answer = (value: number, label?: string): FilterStep => ({
  code: RETURN,
  value,
  ...(label === undefined ? {} : { label }),
});

const callsOf = (calls: Calls): FilterStep[] => [
  load(DATA.call, String(calls.audit)),
  ...(calls === X64 ? [{ code: IF_AT_LEAST, value: X32, to: "unknown" }] : []),
  ifEqual(calls.socket, "socket"),
  ifEqual(calls.bpf, "denied"),
  ifEqual(calls.sampling, "sampling"),
  ifEqual(IO_URING_SETUP, "unknown"),
  ...(calls.unreadable === undefined ? [] : [ifEqual(calls.unreadable, "unreadable")]),
  answer(ALLOW),
];

/** Undefined on a machine whose calls are not known here: there the capabilities are all there is. */
export function workFilter(machine: string = process.arch): Uint8Array | undefined {
  const known = MACHINES[machine];
  if (known === undefined) return undefined;
  return assembled([
    load(DATA.architecture),
    ...known.map(({ audit }) => ifEqual(audit, String(audit))),
    answer(FAIL_WITH | ENOSYS),
    ...known.flatMap(callsOf),
    load(DATA.first, "socket"),
    ...[AF_PACKET, AF_XDP].map((family) => ifEqual(family, "denied")),
    ...[AF_INET, AF_INET6].map((family) => ifEqual(family, "internet")),
    ifEqual(AF_NETLINK, "kernel"),
    answer(ALLOW),
    load(DATA.second, "internet"),
    { code: AND, value: TYPE_BITS },
    ...[RAW, OLD_PACKET].map((type) => ifEqual(type, "denied")),
    answer(ALLOW),
    load(DATA.third, "kernel"),
    ifEqual(NETLINK_AUDIT, "unsupported"),
    answer(ALLOW),
    load(DATA.first, "unreadable"),
    ifEqual(MAKE_SOCKET, "unknown"),
    answer(ALLOW),
    load(DATA.second, "sampling"),
    ifEqual(EVERY_PROCESS, "denied"),
    load(DATA.fifth),
    { code: AND, value: OF_A_GROUP },
    ifEqual(OF_A_GROUP, "denied"),
    answer(ALLOW),
    answer(FAIL_WITH | ENOSYS, "unknown"),
    answer(FAIL_WITH | EPERM, "denied"),
    answer(FAIL_WITH | EPROTONOSUPPORT, "unsupported"),
  ]);
}
