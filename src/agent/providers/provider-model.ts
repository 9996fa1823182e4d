/** One model of one provider, as the model port sees it. */
import type { Clock } from "../../plugins/sessions.ts";
import type { ModelPart, ModelRequest } from "../model.ts";
import type { Price } from "../prices.ts";
import { answerParts } from "./answer-parts.ts";
import { failureOf } from "./failure.ts";
import { promptOf, toolsOf } from "./prompt.ts";
import type { Provider, ProviderSettings } from "./provider.ts";
import { type Patience, patientFetch } from "./patient-fetch.ts";
import { watchedFetch, type WireWatch } from "./watched-fetch.ts";
import { exactTools } from "./exact-tools.ts";
import { ownNames } from "./wire-names.ts";

export type ProviderModelParts = {
  createProvider(settings: ProviderSettings): Provider;
  /** `provider/model`. */
  name: string;
  modelId: string;
  settings: Omit<ProviderSettings, "fetch">;
  keyNames: readonly string[];
  maxOutputTokens: number | undefined;
  seesImages: boolean;
  price: Price | undefined;
  patience: Patience;
  clock: Clock;
  watch?: WireWatch | undefined;
};

/** Throws a `ModelFailure` for whatever went wrong outside; the signal ends it at once. */
export async function* askProvider(parts: ProviderModelParts, request: ModelRequest): AsyncGenerator<ModelPart> {
  const { name: model, modelId, settings, price, patience, clock, maxOutputTokens } = parts;
  const patient = patientFetch({ model, clock, patience });
  const send = parts.watch === undefined ? patient : watchedFetch(patient, { model, watch: parts.watch });
  const fetch = request.toolsExactly === undefined ? send : exactTools(send, request.toolsExactly, model);
  const provider = parts.createProvider({ ...settings, fetch });
  const options = provider.dress(
    {
      prompt: promptOf(request, { model, seesImages: parts.seesImages }),
      tools: toolsOf(request.tools),
      abortSignal: request.signal,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    request,
  );
  let begun = false;
  try {
    const { stream } = await provider.languageModel(modelId).doStream(options);
    begun = true;
    yield* answerParts(stream, { model, ownName: ownNames(request.tools), price });
  } catch (error) {
    const { keyNames } = parts;
    throw failureOf(error, { model, keyNames, apiKey: settings.apiKey, tooLong: provider.tooLong, begun });
  }
}
