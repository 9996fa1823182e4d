/** Places for a small drawing of steps: each one column right of the last that it comes after. */
import type { Order } from "./declared-order.ts";

export type Node = { step: number; column: number; row: number };
/** `isCircular`: it would lead back to a step that waits for this one. */
export type Edge = Order & { isCircular: boolean };
export type Layout = { nodes: Node[]; edges: Edge[]; columns: number; rows: number };

/** Undefined where there is nothing to draw. Steps that no order touches are left out. */
export function layoutOf(orders: readonly Order[]): Layout | undefined {
  const steps = [...new Set(orders.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);
  if (steps.length === 0) return undefined;
  const edges = withoutCircles(orders);
  const columnOf = columns(steps, edges);
  const heights: number[] = [];
  const nodes = steps.map((step) => {
    const column = columnOf.get(step) ?? 0;
    const row = heights[column] ?? 0;
    heights[column] = row + 1;
    return { step, column, row };
  });
  return { nodes, edges, columns: heights.length, rows: Math.max(...heights) };
}

/** Without those that a longer way says as well: fewer lines, the same order. */
export function drawnEdges(edges: readonly Edge[]): Edge[] {
  const next = new Map<number, number[]>();
  for (const { from, to, isCircular } of edges) if (!isCircular) next.set(from, [...(next.get(from) ?? []), to]);
  const isTold = ({ from, to }: Edge): boolean =>
    (next.get(from) ?? []).some((other) => other !== to && reaches(next, other, to));
  return edges.filter((edge) => edge.isCircular || !isTold(edge));
}

/** Taken one by one in their order: one that closes a circle is marked, and bears no weight. */
function withoutCircles(orders: readonly Order[]): Edge[] {
  const after = new Map<number, number[]>();
  return orders.map((order) => {
    const isCircular = reaches(after, order.to, order.from);
    if (!isCircular) after.set(order.from, [...(after.get(order.from) ?? []), order.to]);
    return { ...order, isCircular };
  });
}

function reaches(after: ReadonlyMap<number, readonly number[]>, start: number, goal: number): boolean {
  const seen = new Set([start]);
  for (const step of seen) {
    if (step === goal) return true;
    for (const next of after.get(step) ?? []) seen.add(next);
  }
  return false;
}

/** The longest way there; without circles, as many rounds as there are steps are enough. */
function columns(steps: readonly number[], edges: readonly Edge[]): Map<number, number> {
  const column = new Map(steps.map((step) => [step, 0]));
  const bearing = edges.filter(({ isCircular }) => !isCircular);
  for (let round = 0; round < steps.length; round += 1) {
    let changed = false;
    for (const { from, to } of bearing) {
      const least = (column.get(from) ?? 0) + 1;
      if ((column.get(to) ?? 0) >= least) continue;
      column.set(to, least);
      changed = true;
    }
    if (!changed) break;
  }
  return column;
}
