/**
 * What makes a test pass in one run and fail in another: waiting for so long, asserting a duration, trying again, and
 * leaning on which file came first.
 */
import type { Node } from "./syntax-nodes.ts";
import { asNode, first, nameOf, nodesOf, specifiersOf } from "./syntax-nodes.ts";
import type { SourceFile } from "./tree.ts";
import { isCode, isContract, isTest } from "./tree.ts";

/** Each with the reason for which it may know the time. */
const MAY_WAIT: Readonly<Record<string, string>> = {
  "test/kit/global-setup.ts": "a server that does not stop must not keep the run from ending",
  "test/kit/gateway-child.ts": "a child that stays silent ends the run with its error output",
  "test/kit/channels/debian-programs.ts": "a server that does not stop is ended",
  "test/kit/postgres-server.ts": "a server that does not start is reported with its log",
  "test/kit/full-disk.ts": "a program of its own that looks again until the disk is back",
  "test/attack/conversations.ts": "a conversation that does not come to its end is reported with where it stands",
  "test/compat/conversation.ts": "an event that never comes is reported with those that did",
  "test/chaos/people.ts": "people pause between clicks",
  "test/chaos/group-faults.ts": "a fault falls at a time that is drawn, and lasts so long",
  "test/chaos/server-faults.ts": "a fault lasts as long as it is drawn, and a lease must run out",
  "test/chaos/gateway-process.ts": "a gateway whose tool takes as long as it is told",
  "test/mutation/collected-tests.ts": "a mutant may hang",
  "test/mutation/vitest-in-process.ts": "asks again until it is so, as expect.poll does",
};

const CONFIG = "vitest.config.ts";
const COMPARISONS = /^toBe(?:Less|Greater)Than(?:OrEqual)?$/;
const DURATION = /(?:Ms|Seconds|Us|Micros)$/;

export function waitProblems(files: SourceFile[]): string[] {
  return files
    .filter((file) => isCode(file) && (file.path === CONFIG || isOfTests(file)) && !(file.path in MAY_WAIT))
    .flatMap((file) => [...new Set(waitsIn(file))].map((what) => `${file.path}: ${what}`));
}

const isOfTests = (file: SourceFile): boolean => isTest(file) || isContract(file) || file.path.startsWith("test/");

function waitsIn(file: SourceFile): string[] {
  const timers = specifiersOf(file).some((specifier) => /^(?:node:)?timers(?:\/promises)?$/.test(specifier));
  const nodes = nodesOf(file);
  const again = nodes.some((node) => (file.path === CONFIG ? isRetry(node, isNotNone) : isRetry(node, isCount)));
  return [
    ...(timers ? [SLEEPS] : []),
    ...(again ? [AGAIN] : []),
    ...(isTest(file) ? [] : nodes.slice(0, 1).flatMap(hooksOf)),
    ...nodes.flatMap((node) => waitOf(node) ?? []),
  ];
}

const HOOKS = new Set(["beforeAll", "beforeEach", "afterAll", "afterEach", "onTestFinished"]);

/** Files share their workers, so what tests import is loaded once and its hooks would be those of the first file alone. */
function hooksOf({ body }: Node): string[] {
  const statements = Array.isArray(body) ? body.map((statement) => asNode(asNode(statement)?.["expression"])) : [];
  return statements
    .map((call) => (call?.type === "CallExpression" ? nameOf(call["callee"]) : undefined))
    .filter((name) => name !== undefined && HOOKS.has(name))
    .map((name) => `calls ${name} while it is loaded, which only the first file of a worker does`);
}

const isRetry = (node: Node, counts: (value: unknown) => boolean): boolean =>
  node.type === "Property" && nameOf(node["key"]) === "retry" && counts(asNode(node["value"])?.["value"]);
/** Our own refusals carry a field of that name, which is true or false. */
const isCount = (value: unknown): boolean => typeof value === "number" && value > 0;
const isNotNone = (value: unknown): boolean => value !== 0;

const AGAIN = "tries again; a test that passes the second time is a test that fails";
const SLEEPS = "waits for a time; a test waits for what happens";

function waitOf(node: Node): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = asNode(node["callee"]);
  if (nameOf(callee) === "setTimeout") return SLEEPS;
  const method = callee?.type === "MemberExpression" ? nameOf(callee["property"]) : undefined;
  if (method === "waitForTimeout") return SLEEPS;
  if (method === undefined || !COMPARISONS.test(method)) return undefined;
  const asserted = nameOf(first(asNode(callee?.["object"])?.["arguments"]));
  return asserted !== undefined && DURATION.test(asserted)
    ? `asserts the duration ${asserted}; what measures time is a benchmark`
    : undefined;
}
