/** For `vi.waitUntil` and programs that a test runs, which do not know the limit of `expect.poll`: it only ends what hangs. */
export const PATIENT_MS = 120_000;
