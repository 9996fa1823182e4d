/** Lets somebody who debugs see the talk with a vendor, byte by byte as it passes, and changes nothing of it. */

/** Asked for each request; who wants nothing of it answers nothing. */
export type WireWatch = (request: WireRequest) => WireListener | undefined;

/** `place`: the address without its query. No headers: they hold the key. */
export type WireRequest = { model: string; place: string; body: unknown };

export type WireListener = {
  answered(status: number): void;
  heard?(chunk: Uint8Array): void;
  failed(error: unknown): void;
};

type Watched = { model: string; watch: WireWatch };

export function watchedFetch(send: typeof fetch, { model, watch }: Watched): typeof fetch {
  return async (input, init) => {
    const listener = watch({ model, place: placeOf(input), body: init?.body });
    if (listener === undefined) return send(input, init);
    try {
      const response = await send(input, init);
      listener.answered(response.status);
      return overheard(response, listener);
    } catch (error) {
      listener.failed(error);
      throw error;
    }
  };
}

function placeOf(input: Parameters<typeof fetch>[0]): string {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
  return `${origin}${pathname}`;
}

function overheard(response: Response, { heard }: WireListener): Response {
  if (heard === undefined || response.body === null) return response;
  const { status, statusText, headers } = response;
  const passing = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      heard(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(passing), { status, statusText, headers });
}
