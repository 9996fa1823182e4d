/** Places for a flow: each group is laid out by itself and then stands as one box among its neighbours. */
import type { Flow, FlowEdge, FlowNode } from "./flow.ts";
import { rankLayout, type RankItem, type Ranked, type Spot } from "./rank-layout.ts";
import { LINE_PX, type TextBox, textBox } from "./text-box.ts";

export type Box = { x: number; y: number; width: number; height: number };
export type Point = { x: number; y: number };
export type FlowPlaces = {
  nodes: ReadonlyMap<string, Box & { words: TextBox }>;
  groups: ReadonlyMap<string, Box>;
  /** What each edge passes, by its number. */
  routes: ReadonlyMap<number, readonly Point[]>;
  width: number;
  height: number;
};

const LABEL_WIDTH_MAX = 190;
const EDGE_LABEL_WIDTH_MAX = 150;
const GROUP_PAD = 14;
const GROUP_TITLE = LINE_PX + 10;
const ROUND_PX = 34;

type Sized = { width: number; height: number };
type Laid = Sized & {
  nodes: Map<string, Box & { words: TextBox }>;
  groups: Map<string, Box>;
  routes: Map<number, Point[]>;
};

export const edgeWords = ({ label }: FlowEdge): TextBox => textBox(label, EDGE_LABEL_WIDTH_MAX);

export function flowLayout(flow: Flow): FlowPlaces {
  return layLevel(flow, undefined);
}

function sizeOf({ label, shape }: FlowNode): Sized & { words: TextBox } {
  const words = textBox(label, LABEL_WIDTH_MAX);
  if (shape === "start" || shape === "end") return { words, width: 18, height: 18 };
  if (label === "") return { words, width: ROUND_PX, height: ROUND_PX };
  const [wide, high] = shape === "diamond" ? [1.5, 1.9] : [1, 1];
  const more = shape === "hexagon" || shape === "stadium" ? 14 : 0;
  const width = words.width * wide + 26 + more;
  const height = words.height * high + 18 + (shape === "store" ? 12 : 0);
  if (shape !== "circle") return { words, width, height };
  const across = Math.hypot(words.width, words.height) + 16;
  return { words, width: across, height: across };
}

function layLevel(flow: Flow, group: string | undefined): Laid {
  const nodes = [...flow.nodes.values()].filter((node) => node.group === group);
  const groups = [...flow.groups.values()].filter(({ parent }) => parent === group);
  const inner = new Map(groups.map(({ id }) => [id, withFrame(layLevel(flow, id))]));
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node)]));
  const across = (sized: Sized, id: string): RankItem =>
    flow.isAcross ? { id, main: sized.width, cross: sized.height } : { id, main: sized.height, cross: sized.width };
  const items = [
    ...[...sizes].map(([id, size]) => across(size, id)),
    ...[...inner].map(([id, laid]) => across(laid, id)),
  ];
  const level = edgesOf(flow, group);
  const ranked = rankLayout(
    items,
    level.map(({ edge, from, to }) => ({ from, to, room: roomOf(edge, flow.isAcross) })),
  );
  return gathered({ flow, ranked, sizes, inner, level });
}

function roomOf(edge: FlowEdge, isAcross: boolean): number {
  if (edge.label === "") return 0;
  const { width, height } = edgeWords(edge);
  return isAcross ? width : height;
}

type LevelEdge = { edge: FlowEdge; index: number; from: string; to: string };

/** Edges between two things of this level, whatever deeper they lead to. */
function edgesOf(flow: Flow, group: string | undefined): LevelEdge[] {
  const here = (id: string): string | undefined => {
    let at: string | undefined = id;
    while (at !== undefined) {
      const parent: string | undefined = flow.nodes.get(at)?.group ?? flow.groups.get(at)?.parent;
      if (parent === group) return at;
      at = parent;
    }
    return undefined;
  };
  return flow.edges.flatMap((edge, index) => {
    const [from, to] = [here(edge.from), here(edge.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ edge, index, from, to }];
  });
}

function withFrame(laid: Laid): Laid {
  const moved = shifted(laid, { x: GROUP_PAD, y: GROUP_TITLE });
  return { ...moved, width: laid.width + 2 * GROUP_PAD, height: laid.height + GROUP_TITLE + GROUP_PAD };
}

function shifted({ nodes, groups, routes, width, height }: Laid, by: Point): Laid {
  const move = <Placed extends Point>(place: Placed): Placed => ({ ...place, x: place.x + by.x, y: place.y + by.y });
  return {
    nodes: new Map([...nodes].map(([id, box]) => [id, move(box)])),
    groups: new Map([...groups].map(([id, box]) => [id, move(box)])),
    routes: new Map([...routes].map(([index, points]) => [index, points.map(move)])),
    width,
    height,
  };
}

type Level = {
  flow: Flow;
  ranked: Ranked;
  sizes: ReadonlyMap<string, Sized & { words: TextBox }>;
  inner: ReadonlyMap<string, Laid>;
  level: readonly LevelEdge[];
};

function gathered({ flow, ranked, sizes, inner, level }: Level): Laid {
  const point = ({ main, cross }: Spot): Point => (flow.isAcross ? { x: main, y: cross } : { x: cross, y: main });
  const at = (id: string): Point => point(ranked.spots.get(id) ?? { main: 0, cross: 0 });
  const end = point(ranked);
  const laid: Laid = { width: end.x, height: end.y, nodes: new Map(), groups: new Map(), routes: new Map() };
  for (const [id, size] of sizes) laid.nodes.set(id, { ...size, ...at(id) });
  for (const [id, own] of inner) {
    const moved = shifted(own, at(id));
    laid.groups.set(id, { ...at(id), width: own.width, height: own.height });
    for (const [key, box] of moved.nodes) laid.nodes.set(key, box);
    for (const [key, box] of moved.groups) laid.groups.set(key, box);
    for (const [key, route] of moved.routes) laid.routes.set(key, route);
  }
  for (const [number, { index }] of level.entries()) laid.routes.set(index, (ranked.routes[number] ?? []).map(point));
  return laid;
}
