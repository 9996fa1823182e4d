/**
 * A filter of system calls for what shares a person's terminal: nothing in it may type into that terminal, because what it
 * types would be read by the person's own shell after it has ended. And no socket to the machine below a virtual one, which no
 * network namespace holds back; io_uring would make one without that call, so there is none. Nor the keyrings of the kernel: that of the
 * session is handed down to whatever is started in it, and holds keys of the person in no file that could be hidden.
 */
import { assembled, type FilterStep } from "../socket-filter.ts";

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
/** Calls with this bit are those of x32, with numbers of their own. */
const X32 = 0x4000_0000;
const DATA = { call: 0, architecture: 4, first: 16, second: 24 } as const;
const AF_VSOCK = 40;
/** The same number everywhere. */
const IO_URING_SETUP = 425;
/** Of older programs: any call about sockets, with arguments where a filter cannot look. */
const SOCKETCALL = 102;
/** TIOCSTI and TIOCLINUX: put a character into the input; paste the selection of the console. */
const TYPING = [0x5412, 0x541c];

type Machine = { audit: number; ioctl: number; socket: number; keys: readonly number[] };
/** By what Node calls the machine: its own calls, and those of the older programs that it runs as well. */
const MACHINES: Readonly<Record<string, readonly [Machine, Machine]>> = {
  x64: [
    { audit: 0xc000_003e, ioctl: 16, socket: 41, keys: [248, 249, 250] },
    { audit: 0x4000_0003, ioctl: 54, socket: 359, keys: [286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc000_00b7, ioctl: 29, socket: 198, keys: [217, 218, 219] },
    { audit: 0x4000_0028, ioctl: 54, socket: 281, keys: [309, 310, 311] },
  ],
};

const callsOf = ({ ioctl, socket, keys }: Machine, label: string): FilterStep[] => [
  { code: LOAD, value: DATA.call, label },
  ...(ioctl === 16 ? [{ code: IF_AT_LEAST, value: X32, to: "unknown" }] : []),
  { code: IF_EQUAL, value: ioctl, to: "ioctl" },
  { code: IF_EQUAL, value: socket, to: "socket" },
  ...keys.map((value) => ({ code: IF_EQUAL, value, to: "denied" })),
  { code: IF_EQUAL, value: IO_URING_SETUP, to: "unknown" },
  ...(ioctl === 54 ? [{ code: IF_EQUAL, value: SOCKETCALL, to: "unknown" }] : []),
  { code: RETURN, value: ALLOW },
];

/** Undefined on a machine whose calls are not known here. */
export function terminalFilter(machine: string = process.arch): Uint8Array | undefined {
  const known = MACHINES[machine];
  if (known === undefined) return undefined;
  const [own, older] = known;
  return assembled([
    { code: LOAD, value: DATA.architecture },
    { code: IF_EQUAL, value: own.audit, to: "own" },
    { code: IF_EQUAL, value: older.audit, to: "older" },
    { code: RETURN, value: ENOSYS },
    ...callsOf(own, "own"),
    ...callsOf(older, "older"),
    { code: LOAD, value: DATA.first, label: "socket" },
    { code: IF_EQUAL, value: AF_VSOCK, to: "denied" },
    { code: RETURN, value: ALLOW },
    { code: LOAD, value: DATA.second, label: "ioctl" },
    ...TYPING.map((value) => ({ code: IF_EQUAL, value, to: "denied" })),
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: ENOSYS, label: "unknown" },
    { code: RETURN, value: EPERM, label: "denied" },
  ]);
}
