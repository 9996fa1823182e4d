/** Draws a flow: groups behind, lines above them, boxes on top. */
import { type Flow, type FlowEdge, type FlowNode, isDrawable } from "./flow.ts";
import { type Box, edgeWords, flowLayout, type FlowPlaces, type Point } from "./flow-layout.ts";
import { d, shape, type SvgShape } from "./svg-tree.ts";
import { LINE_PX, textAt, textBox } from "./text-box.ts";

const MARGIN = 10;
const HEAD_PX = 7;
const SELF_PX = 26;
const TITLE_WIDTH_MAX = 400;

export function drawFlow(flow: Flow): SvgShape | undefined {
  if (!isDrawable(flow)) return undefined;
  const places = flowLayout(flow);
  const [width, height] = [Math.ceil(places.width + 2 * MARGIN + SELF_PX), Math.ceil(places.height + 2 * MARGIN)];
  const view = `${-MARGIN} ${-MARGIN} ${width} ${height}`;
  return shape(
    "svg",
    { width, height, viewBox: view, class: "flow" },
    ...[...flow.groups.values()].flatMap(({ id, label }) => group(places.groups.get(id), label)),
    ...flow.edges.flatMap((edge, index) => line(edge, index, { flow, places })),
    ...[...flow.nodes.values()].map((node) => drawnNode(node, places.nodes.get(node.id))),
  );
}

function group(box: Box | undefined, label: string): SvgShape[] {
  if (box === undefined) return [];
  const words = textBox(label, TITLE_WIDTH_MAX);
  return [
    shape("rect", { class: "group", x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }),
    ...textAt(words, { x: box.x + 12, y: box.y + LINE_PX / 2 + 4, anchor: "start", name: "title" }),
  ];
}

function drawnNode(
  { shape: kind }: FlowNode,
  box: FlowPlaces["nodes"] extends ReadonlyMap<string, infer Placed> ? Placed | undefined : never,
): SvgShape {
  if (box === undefined) return shape("g", {});
  const { x, y, width, height, words } = box;
  const middle = { x: x + width / 2, y: y + height / 2 + (kind === "store" ? 5 : 0) };
  return shape("g", { class: `node ${kind}` }, ...outline(kind, box), ...textAt(words, middle));
}

function outline(kind: FlowNode["shape"], { x, y, width, height }: Box): SvgShape[] {
  const [right, bottom, midX, midY] = [x + width, y + height, x + width / 2, y + height / 2];
  switch (kind) {
    case "box":
      return [shape("rect", { x, y, width, height, rx: 3 })];
    case "round":
      return [shape("rect", { x, y, width, height, rx: 10 })];
    case "stadium":
      return [shape("rect", { x, y, width, height, rx: height / 2 })];
    case "diamond":
      return [shape("path", { d: d("M", midX, y, "L", right, midY, midX, bottom, x, midY, "Z") })];
    case "hexagon":
      return [
        shape("path", {
          d: d("M", x + 12, y, "H", right - 12, "L", right, midY, right - 12, bottom, "H", x + 12, "L", x, midY, "Z"),
        }),
      ];
    case "store":
      return [
        shape("path", {
          d: d(
            "M",
            x,
            y + 7,
            "A",
            width / 2,
            7,
            0,
            0,
            1,
            right,
            y + 7,
            "V",
            bottom - 7,
            "A",
            width / 2,
            7,
            0,
            0,
            1,
            x,
            bottom - 7,
            "Z",
          ),
        }),
        shape("path", { class: "rim", d: d("M", x, y + 7, "A", width / 2, 7, 0, 0, 0, right, y + 7) }),
      ];
    case "circle":
      return [shape("circle", { cx: midX, cy: midY, r: width / 2 })];
    case "start":
      return [shape("circle", { class: "dot", cx: midX, cy: midY, r: 7 })];
    case "end":
      return [
        shape("circle", { cx: midX, cy: midY, r: 8.5 }),
        shape("circle", { class: "dot", cx: midX, cy: midY, r: 5 }),
      ];
  }
}

type Place = { flow: Flow; places: FlowPlaces };

const boxOf = ({ places }: Place, id: string): Box | undefined => places.nodes.get(id) ?? places.groups.get(id);

function line(edge: FlowEdge, index: number, place: Place): SvgShape[] {
  const [from, to] = [boxOf(place, edge.from), boxOf(place, edge.to)];
  if (from === undefined || to === undefined || edge.line === "none") return [];
  if (edge.from === edge.to) return selfLine(edge, from);
  const { isAcross, edges } = place.flow;
  const sign = isBefore(to, from, isAcross) ? -1 : 1;
  const isDouble = edges.some((other) => other.from === edge.to && other.to === edge.from);
  const off = isDouble ? -8 * sign : 0;
  const start = sideOf(from, { isAcross, isEnd: sign === 1, off });
  const end = sideOf(to, { isAcross, isEnd: sign !== 1, off });
  const points = [start, ...(place.places.routes.get(index) ?? []), end];
  const path = points.slice(1).flatMap((point, at) => bend(points[at] ?? start, point, { isAcross, sign }));
  return [
    shape("path", { class: `line ${edge.line}`, d: d("M", start.x, start.y, ...path) }),
    ...(edge.head ? [head(end, { isAcross, sign })] : []),
    ...(edge.tail ? [head(start, { isAcross, sign: -sign })] : []),
    ...edgeLabel(edge, middleOf(points)),
  ];
}

const isBefore = (a: Box, b: Box, isAcross: boolean): boolean =>
  isAcross ? a.x + a.width <= b.x + 1 : a.y + a.height <= b.y + 1;

function sideOf(box: Box, { isAcross, isEnd, off }: { isAcross: boolean; isEnd: boolean; off: number }): Point {
  if (isAcross) return { x: isEnd ? box.x + box.width : box.x, y: box.y + box.height / 2 + off };
  return { x: box.x + box.width / 2 + off, y: isEnd ? box.y + box.height : box.y };
}

type Way = { isAcross: boolean; sign: number };

function bend(from: Point, to: Point, { isAcross, sign }: Way): (string | number)[] {
  const far = sign * Math.max(14, Math.abs(isAcross ? to.x - from.x : to.y - from.y) / 2);
  if (isAcross) return ["C", from.x + far, from.y, to.x - far, to.y, to.x, to.y];
  return ["C", from.x, from.y + far, to.x, to.y - far, to.x, to.y];
}

function head({ x, y }: Point, { isAcross, sign }: Way): SvgShape {
  const back = -sign * HEAD_PX;
  const path = isAcross
    ? d("M", x, y, "L", x + back, y - 4, x + back, y + 4, "Z")
    : d("M", x, y, "L", x - 4, y + back, x + 4, y + back, "Z");
  return shape("path", { class: "head", d: path });
}

function selfLine(edge: FlowEdge, { x, y, width, height }: Box): SvgShape[] {
  const right = x + width;
  const [top, low] = [y + height * 0.3, y + height * 0.7];
  return [
    shape("path", {
      class: `line ${edge.line}`,
      d: d("M", right, top, "C", right + SELF_PX, top - 8, right + SELF_PX, low + 8, right, low),
    }),
    head({ x: right, y: low }, { isAcross: true, sign: -1 }),
    ...edgeLabel(edge, { x: right + SELF_PX, y: y + height / 2 }),
  ];
}

function middleOf(points: readonly Point[]): Point {
  const at = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[at], points[at + 1]];
  if (a === undefined) return { x: 0, y: 0 };
  if (b === undefined || points.length % 2 === 1) return a;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** On a ground of its own, so that no line runs through the words. */
function edgeLabel(edge: FlowEdge, { x, y }: Point): SvgShape[] {
  if (edge.label === "") return [];
  const words = edgeWords(edge);
  const [width, height] = [words.width + 8, words.height + 2];
  return [
    shape("rect", { class: "ground", x: x - width / 2, y: y - height / 2, width, height, rx: 3 }),
    ...textAt(words, { x, y, name: "said" }),
  ];
}
