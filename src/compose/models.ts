/** The models, chosen before the engine is composed: some of them make sessions start in plan mode. */
import { chooseModels, type Models } from "../gateway/choose-model.ts";
import type { State } from "./state.ts";

export async function composeModels({ config, clock, options, notes }: State): Promise<Models> {
  const { home, env = process.env, model: given } = options;
  const models = await chooseModels({ config, home, env, clock, given });
  if (models.note !== "") notes.push(models.note);
  return models;
}
