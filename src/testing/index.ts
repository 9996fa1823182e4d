/** `holdpoint/testing`: a whole gateway in memory, with a model that says what a test wrote down. */
export { HoldpointError } from "../client/holdpoint-error.ts";
export { systemClock } from "../engine/clock.ts";
export { type FakeClock, fakeClock } from "./fake-clock.ts";
export { type ScriptedModel, scriptedModel, type ScriptStep } from "./scripted-model.ts";
export { startTestGateway, type TestGateway, type TestGatewayOptions } from "./test-gateway.ts";
export type { TestPerson } from "./test-person.ts";
export type { CallResult, TestSession } from "./test-session.ts";
