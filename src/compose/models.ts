/** The models, chosen before the engine is composed: some of them make sessions start in plan mode. */
import { chooseModels, type Models } from "../gateway/choose-model.ts";
import { secretValues } from "../config/secret-values.ts";
import { createAnswerRedaction } from "../tools/redaction/answer-redaction.ts";
import type { State } from "./state.ts";

export async function composeModels({ config, clock, options, notes, log }: State): Promise<Models> {
  const { home, env = process.env, model: given } = options;
  const watch = Object.keys(env).some((name) => WIRE_LOG.test(name)) ? await wireLog(env, log) : undefined;
  const clean = createAnswerRedaction(secretValues({ home, env, config: () => config.current() }));
  const models = await chooseModels({ config, home, env, clock, given, watch, clean });
  if (models.note !== "") notes.push(models.note);
  return models;
}

const WIRE_LOG = /^HOLDPOINT_DEBUG_(?:MODEL_|SSE)/;

/** Only whoever debugs the talk with models loads what writes it down. */
async function wireLog(env: NodeJS.ProcessEnv, log: State["log"]) {
  const { modelWireLog } = await import("../gateway/logs/model-wire-log.ts");
  return modelWireLog(env, log);
}
