/**
 * Who goes when the places for connections that have shown no token are full: the oldest one of the address that holds
 * most of them. A newcomer is always let in, so nobody can keep an operator out by holding every place.
 */
export function makeRoom<Key, Place extends { peer: string }>(
  places: Map<Key, Place>,
  staying: number,
  isBusy: (key: Key) => boolean = () => false,
): Place | undefined {
  if (places.size <= staying) return undefined;
  const perPeer = new Map<string, number>();
  for (const { peer } of places.values()) perPeer.set(peer, (perPeer.get(peer) ?? 0) + 1);
  const most = Math.max(...perPeer.values());
  const crowded = [...places].filter(([, { peer }]) => perPeer.get(peer) === most);
  const [key, place] = crowded.find(([candidate]) => !isBusy(candidate)) ?? crowded[0] ?? [];
  if (key === undefined || place === undefined) return undefined;
  places.delete(key);
  return place;
}
