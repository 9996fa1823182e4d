/** The words of classic BPF over `struct seccomp_data` that the filters of system calls are written in. */
export const filterCodes = {
  /** Offsets; of an argument the lower half, which is all that an int has. */
  DATA: { call: 0, architecture: 4, first: 16, second: 24, third: 32, fifth: 48 },
  LOAD: 0x20,
  AND: 0x54,
  IF_EQUAL: 0x15,
  IF_AT_LEAST: 0x35,
  RETURN: 0x06,
  ALLOW: 0x7fff_0000,
  FAIL_WITH: 0x0005_0000,
  EPERM: 1,
  ENOSYS: 38,
  /** Of the type of a socket; the rest are flags. */
  TYPE_BITS: 0xf,
  /** Calls with this bit are those of x32, with numbers of their own. */
  X32: 0x4000_0000,
} as const;
