/** The model of `holdpoint/testing`: one for plugin authors and for us. */
export * from "../../src/testing/scripted-model.ts";
