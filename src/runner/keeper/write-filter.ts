/**
 * A filter of system calls that stops those which would change a file until a supervisor has looked at them (ADR 0072). It
 * decides nothing: what it stops goes on, and the mount is the wall. What only reads passes without being stopped, so it costs nothing.
 */
import { assembled, type FilterStep } from "../socket-filter.ts";

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const NOTIFY = 0x7fc0_0000;
const DATA = { call: 0, architecture: 4 } as const;
/** Calls with this bit are those of x32, with numbers of their own; the terminal's filter refuses them. */
const X32 = 0x4000_0000;
/** O_WRONLY, O_RDWR, O_CREAT and O_TRUNC: the same bits on every machine that is named here. */
const WRITES = 0x243;
const FIRST_ARGUMENT = 16;
const ARGUMENT_BYTES = 8;

/**
 * Where a call names a file: `folder` is the argument that holds a folder's descriptor (absent: the current folder), `path` the
 * one that points to the name. `kind`: whether the file must be there for the call to come as far as the mount.
 */
type Naming = {
  folder?: number;
  path: number;
  kind: "open" | "open-by-struct" | "make" | "change" | "remove";
  flags?: number;
};

const OPEN: Naming = { path: 0, kind: "open", flags: 1 };
const OPEN_AT: Naming = { folder: 0, path: 1, kind: "open", flags: 2 };
/** Its flags lie in memory, where a filter cannot look. */
const OPEN_BY_STRUCT: Naming = { folder: 0, path: 1, kind: "open-by-struct" };
const CREATE: Naming = { path: 0, kind: "open" };
const MAKE: Naming = { path: 0, kind: "make" };
const MAKE_AT: Naming = { folder: 0, path: 1, kind: "make" };
const LINK: Naming = { path: 1, kind: "make" };
const LINK_AT: Naming = { folder: 2, path: 3, kind: "make" };
const SYMLINK_AT: Naming = { folder: 1, path: 2, kind: "make" };
const CHANGE: Naming = { path: 0, kind: "change" };
const CHANGE_AT: Naming = { folder: 0, path: 1, kind: "change" };
const REMOVE: Naming = { path: 0, kind: "remove" };
const REMOVE_AT: Naming = { folder: 0, path: 1, kind: "remove" };

type Calls = { audit: number; calls: ReadonlyMap<number, Naming> };

const numbered = (...groups: readonly [Naming, readonly number[]][]): ReadonlyMap<number, Naming> =>
  new Map(groups.flatMap(([naming, numbers]) => numbers.map((number) => [number, naming] as const)));

/** In the order of their groups: open, openat, openat2, creat, mkdir and mknod, their `at` forms, link and symlink, and so on. */
const X64: Calls = {
  audit: 0xc000_003e,
  calls: numbered(
    [OPEN_AT, [257]],
    [OPEN, [2]],
    [OPEN_BY_STRUCT, [437]],
    [CREATE, [85]],
    [MAKE, [83, 133]],
    [MAKE_AT, [258, 259]],
    [LINK, [86, 88]],
    [LINK_AT, [265]],
    [SYMLINK_AT, [266]],
    [CHANGE, [76, 90, 92, 94, 132, 235]],
    [CHANGE_AT, [260, 261, 268, 280, 452]],
    [REMOVE, [82, 84, 87]],
    [REMOVE_AT, [263, 264, 316]],
  ),
};
const I386: Calls = {
  audit: 0x4000_0003,
  calls: numbered(
    [OPEN_AT, [295]],
    [OPEN, [5]],
    [OPEN_BY_STRUCT, [437]],
    [CREATE, [8]],
    [MAKE, [39, 14]],
    [MAKE_AT, [296, 297]],
    [LINK, [9, 83]],
    [LINK_AT, [303]],
    [SYMLINK_AT, [304]],
    [CHANGE, [92, 193, 15, 182, 212, 16, 198, 30, 271]],
    [CHANGE_AT, [298, 299, 306, 320, 412, 452]],
    [REMOVE, [38, 40, 10]],
    [REMOVE_AT, [301, 302, 353]],
  ),
};
const ARM64: Calls = {
  audit: 0xc000_00b7,
  calls: numbered(
    [OPEN_AT, [56]],
    [OPEN_BY_STRUCT, [437]],
    [MAKE_AT, [33, 34]],
    [LINK_AT, [37]],
    [SYMLINK_AT, [36]],
    [CHANGE, [45]],
    [CHANGE_AT, [53, 54, 88, 452]],
    [REMOVE_AT, [35, 38, 276]],
  ),
};
const ARM: Calls = {
  audit: 0x4000_0028,
  calls: numbered(
    [OPEN_AT, [322]],
    [OPEN, [5]],
    [OPEN_BY_STRUCT, [437]],
    [CREATE, [8]],
    [MAKE, [39, 14]],
    [MAKE_AT, [323, 324]],
    [LINK, [9, 83]],
    [LINK_AT, [330]],
    [SYMLINK_AT, [331]],
    [CHANGE, [92, 193, 15, 182, 212, 16, 198]],
    [CHANGE_AT, [325, 326, 333, 348, 412, 452]],
    [REMOVE, [38, 40, 10]],
    [REMOVE_AT, [328, 329, 382]],
  ),
};

/** By what Node calls the machine: its own calls, and those of the older programs that it runs as well. */
const MACHINES: Readonly<Record<string, readonly Calls[]>> = { x64: [X64, I386], arm64: [ARM64, ARM] };

const labelOf = ({ audit }: Calls): string => audit.toString(16);

/** A descriptor's times and modes are changed without a name (`futimens`): unpacking does so for each file. */
const BY_DESCRIPTOR: ReadonlySet<number> = new Set([280, 88, 320, 348, 412]);

function stepsOf(known: Calls): FilterStep[] {
  const { calls } = known;
  const label = labelOf(known);
  const target = (number: number, { kind, flags }: Naming): string => {
    if (kind === "open" && flags !== undefined) return `${label}-flags-${flags}`;
    return kind === "change" && BY_DESCRIPTOR.has(number) ? `${label}-name` : "notify";
  };
  const jumps = [...calls].map(([value, naming]) => ({ code: IF_EQUAL, value, to: target(value, naming) }));
  const wanted = new Set(jumps.map(({ to }) => to));
  const flagged = [1, 2].flatMap((argument): FilterStep[] =>
    wanted.has(`${label}-flags-${argument}`)
      ? [
          { code: LOAD, value: offsetOf(argument), label: `${label}-flags-${argument}` },
          { code: IF_ANY_BIT, value: WRITES, to: "notify" },
          { code: RETURN, value: ALLOW },
        ]
      : [],
  );
  const named: FilterStep[] = wanted.has(`${label}-name`)
    ? [
        { code: LOAD, value: offsetOf(1), label: `${label}-name` },
        { code: IF_ANY_BIT, value: 0xffff_ffff, to: "notify" },
        { code: RETURN, value: ALLOW }, // no name is as large as its upper half alone
      ]
    : [];
  return [
    { code: LOAD, value: DATA.call, label },
    ...(known === X64 ? [{ code: IF_AT_LEAST, value: X32, to: "allowed" }] : []),
    ...jumps,
    { code: RETURN, value: ALLOW },
    ...flagged,
    ...named,
  ];
}

const offsetOf = (argument: number): number => FIRST_ARGUMENT + ARGUMENT_BYTES * argument;

export type WriteFilter = {
  program: Uint8Array;
  /** For the supervisor: `architecture:number=folder.path.kind.flags` of each call, by spaces; -1 where there is none. */
  namings: string;
};

/** Undefined on a machine whose calls are not known here. */
export function writeFilter(machine: string = process.arch): WriteFilter | undefined {
  const known = MACHINES[machine];
  if (known === undefined) return undefined;
  const program = assembled([
    { code: LOAD, value: DATA.architecture },
    ...known.map((calls) => ({ code: IF_EQUAL, value: calls.audit, to: labelOf(calls) })),
    { code: RETURN, value: ALLOW },
    ...known.flatMap(stepsOf),
    { code: RETURN, value: ALLOW, label: "allowed" },
    { code: RETURN, value: NOTIFY, label: "notify" },
  ]);
  const namings = known.flatMap(({ audit, calls }) =>
    [...calls].map(
      ([number, { folder = -1, path, kind, flags = -1 }]) => `${audit}:${number}=${folder}.${path}.${kind}.${flags}`,
    ),
  );
  return { program, namings: namings.join(" ") };
}
