/** A drawing of boxes and lines between them, in groups: what flowcharts, states, classes and entities have in common. */

export type FlowShape = "box" | "round" | "stadium" | "diamond" | "store" | "circle" | "hexagon" | "start" | "end";
export type FlowNode = { id: string; label: string; shape: FlowShape; group: string | undefined };
export type FlowGroup = { id: string; label: string; parent: string | undefined };
/** `from` and `to` name nodes or groups. */
export type FlowEdge = {
  from: string;
  to: string;
  label: string;
  line: "plain" | "dotted" | "thick" | "none";
  head: boolean;
  tail: boolean;
};
export type Flow = {
  isAcross: boolean;
  nodes: Map<string, FlowNode>;
  groups: Map<string, FlowGroup>;
  edges: FlowEdge[];
};

/** More than these are no drawing that anybody could read. */
const NODES_MAX = 150;
const EDGES_MAX = 300;

export const newFlow = (isAcross: boolean): Flow => ({ isAcross, nodes: new Map(), groups: new Map(), edges: [] });

/** The first to name a node says where it stands; the last to give it words says what it says. */
export function addNode(flow: Flow, node: Partial<FlowNode> & { id: string }): void {
  if (flow.groups.has(node.id)) return;
  const known = flow.nodes.get(node.id);
  flow.nodes.set(node.id, {
    id: node.id,
    label: node.label ?? known?.label ?? node.id,
    shape: node.shape ?? known?.shape ?? "box",
    group: known?.group ?? node.group,
  });
}

/** A name that was taken for a node before turns out to be a group. */
export function addGroup(flow: Flow, group: FlowGroup): void {
  flow.nodes.delete(group.id);
  flow.groups.set(group.id, group);
}

export const isDrawable = ({ nodes, groups, edges }: Flow): boolean =>
  nodes.size > 0 && nodes.size + groups.size <= NODES_MAX && edges.length <= EDGES_MAX;
