/** The clock of `holdpoint/testing`: one for plugin authors and for us. */
export * from "../../src/testing/fake-clock.ts";
