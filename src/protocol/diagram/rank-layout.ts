/**
 * Places boxes in ranks, each behind what leads to it. `main` runs from rank to rank, `cross` along one; whoever draws
 * decides which of them goes down the page. Lines that pass a rank get a place of their own in it, so that they cross no box.
 */
export type RankItem = { id: string; main: number; cross: number };
/** `room`: what its words need between two ranks. */
export type RankLink = { from: string; to: string; room: number };
export type Spot = { main: number; cross: number };
export type Ranked = {
  /** Where each box begins. */
  spots: ReadonlyMap<string, Spot>;
  /** The middles of the places that each link passes, by its number. */
  routes: readonly (readonly Spot[])[];
  main: number;
  cross: number;
};

const RANK_GAP = 36;
const ITEM_GAP = 22;
const PASSING_CROSS = 12;
const ORDER_SWEEPS = 6;
const PLACE_SWEEPS = 8;

type Member = RankItem & { rank: number; before: Member[]; after: Member[] };

export function rankLayout(items: readonly RankItem[], links: readonly RankLink[]): Ranked {
  const forward = withoutCircles(items, links);
  const rankOf = ranksOf(items, forward);
  const members = new Map<string, Member>(
    items.map((item) => [item.id, { ...item, rank: rankOf.get(item.id) ?? 0, before: [], after: [] }]),
  );
  const passed = forward.map((link, index) => chain(link, index, members));
  const layers = layersOf([...members.values(), ...passed.flat()]);
  sortLayers(layers);
  const crossOf = placeAlong(layers);
  const { starts, main } = rankStarts(layers, forward, rankOf);
  const spotOf = ({ rank, main: size }: Member): number => {
    const { start, size: room } = starts[rank] ?? { start: 0, size: 0 };
    return start + (room - size) / 2;
  };
  const low = Math.min(0, ...layers.flat().map((one) => crossOf.get(one) ?? 0));
  const spots = new Map(
    [...members].map(([id, one]) => [id, { main: spotOf(one), cross: (crossOf.get(one) ?? 0) - low }]),
  );
  const middle = (one: Member): Spot => ({
    main: spotOf(one) + one.main / 2,
    cross: (crossOf.get(one) ?? 0) - low + one.cross / 2,
  });
  const routes = passed.map((places, index) => {
    const points = places.map(middle);
    return forward[index]?.isTurned === true ? points.toReversed() : points;
  });
  const cross = Math.max(0, ...layers.flat().map((one) => (crossOf.get(one) ?? 0) - low + one.cross));
  return { spots, routes, main, cross };
}

type Forward = RankLink & { isTurned: boolean };

/** A link that would close a circle counts the other way round. */
function withoutCircles(items: readonly RankItem[], links: readonly RankLink[]): Forward[] {
  const next = new Map<string, string[]>(items.map(({ id }) => [id, []]));
  const leads = (start: string, goal: string): boolean => {
    const seen = new Set([start]);
    for (const id of seen) for (const other of next.get(id) ?? []) seen.add(other);
    return seen.has(goal);
  };
  return links.map((link) => {
    const isTurned = link.from !== link.to && leads(link.to, link.from);
    const [from, to] = isTurned ? [link.to, link.from] : [link.from, link.to];
    if (from !== to) next.get(from)?.push(to);
    return { ...link, from, to, isTurned };
  });
}

function ranksOf(items: readonly RankItem[], links: readonly Forward[]): Map<string, number> {
  const ranks = new Map(items.map(({ id }) => [id, 0]));
  for (let round = 0; round < items.length; round += 1) {
    let isChanged = false;
    for (const { from, to } of links) {
      const least = (ranks.get(from) ?? 0) + 1;
      if (from === to || (ranks.get(to) ?? 0) >= least) continue;
      ranks.set(to, least);
      isChanged = true;
    }
    if (!isChanged) break;
  }
  return ranks;
}

/** The places between, each joined to the next. */
function chain({ from, to }: Forward, index: number, members: ReadonlyMap<string, Member>): Member[] {
  const [first, last] = [members.get(from), members.get(to)];
  if (first === undefined || last === undefined || first === last) return [];
  const places = Array.from({ length: Math.max(0, last.rank - first.rank - 1) }, (_, more): Member => ({
    id: `passing ${index}.${more}`,
    main: 0,
    cross: PASSING_CROSS,
    rank: first.rank + more + 1,
    before: [],
    after: [],
  }));
  const all = [first, ...places, last];
  for (const [at, member] of all.entries()) {
    const next = all[at + 1];
    if (next === undefined) continue;
    member.after.push(next);
    next.before.push(member);
  }
  return places;
}

function layersOf(members: readonly Member[]): Member[][] {
  const layers: Member[][] = [];
  for (const member of members) (layers[member.rank] ??= []).push(member);
  return layers;
}

/** By the middle of their neighbours, down and up again: fewer lines cross. */
function sortLayers(layers: Member[][]): void {
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const places = new Map(layers.flatMap((layer) => layer.map((member, index) => [member, index] as const)));
    for (const layer of isDown ? layers : layers.toReversed()) {
      const wish = (member: Member): number => {
        const near = isDown ? member.before : member.after;
        const own = places.get(member) ?? 0;
        return near.length === 0 ? own : near.reduce((sum, other) => sum + (places.get(other) ?? 0), 0) / near.length;
      };
      const wishes = new Map(layer.map((member) => [member, wish(member)]));
      layer.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0));
      for (const [index, member] of layer.entries()) places.set(member, index);
    }
  }
}

/** Each as near to the middle of its neighbours as those beside it let it. */
function placeAlong(layers: readonly Member[][]): Map<Member, number> {
  const starts = new Map<Member, number>();
  for (const layer of layers) {
    let at = 0;
    for (const member of layer) {
      starts.set(member, at);
      at += member.cross + ITEM_GAP;
    }
  }
  const middle = (member: Member): number => (starts.get(member) ?? 0) + member.cross / 2;
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wishes = layer.map((member) => {
        const near = [...member.before, ...member.after];
        const mean = near.reduce((sum, other) => sum + middle(other), 0) / near.length;
        return near.length === 0 ? (starts.get(member) ?? 0) : mean - member.cross / 2;
      });
      settle(layer, wishes, starts);
    }
  }
  return starts;
}

/** In their order and apart; together they are moved to where they deviate least. */
function settle(layer: readonly Member[], wishes: readonly number[], starts: Map<Member, number>): void {
  let least = Number.NEGATIVE_INFINITY;
  const placed = layer.map((member, index) => {
    const start = Math.max(wishes[index] ?? 0, least);
    least = start + member.cross + ITEM_GAP;
    return start;
  });
  const off = placed.reduce((sum, start, index) => sum + (wishes[index] ?? 0) - start, 0) / Math.max(1, layer.length);
  for (const [index, member] of layer.entries()) starts.set(member, (placed[index] ?? 0) + off);
}

type RankStarts = { starts: { start: number; size: number }[]; main: number };

function rankStarts(
  layers: readonly Member[][],
  links: readonly Forward[],
  rankOf: ReadonlyMap<string, number>,
): RankStarts {
  const rooms = new Map<number, number>();
  for (const { from, to, room } of links) {
    const rank = rankOf.get(from) ?? 0;
    if (from !== to) rooms.set(rank, Math.max(rooms.get(rank) ?? 0, room));
  }
  let at = 0;
  const starts = layers.map((layer, rank) => {
    const size = Math.max(0, ...layer.map(({ main }) => main));
    const start = at;
    at += size + RANK_GAP + (rooms.get(rank) ?? 0);
    return { start, size };
  });
  const last = starts.at(-1);
  return { starts, main: last === undefined ? 0 : last.start + last.size };
}
