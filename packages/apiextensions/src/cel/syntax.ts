/** An expression as written, macros included; `at` is an offset into the text where messages point. */
export type CelNode =
  | { readonly kind: 'literal'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | { readonly kind: 'field'; readonly at: number; readonly of: CelNode; readonly name: string; readonly optional: boolean }
  | { readonly kind: 'index'; readonly at: number; readonly of: CelNode; readonly index: CelNode; readonly optional: boolean }
  | { readonly kind: 'call'; readonly at: number; readonly start: number; readonly name: string; readonly target: CelNode | undefined; readonly args: readonly CelNode[] }
  | { readonly kind: 'binary'; readonly at: number; readonly operator: string; readonly left: CelNode; readonly right: CelNode }
  | { readonly kind: 'unary'; readonly at: number; readonly operator: '!' | '-'; readonly operand: CelNode }
  | { readonly kind: 'choice'; readonly at: number; readonly condition: CelNode; readonly yes: CelNode; readonly otherwise: CelNode }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly CelNode[] }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly (readonly [CelNode, CelNode])[] };

/** Something wrong with an expression, and where. */
export interface CelProblem {
  readonly at: number;
  readonly text: string;
}

/** Problems in the form of cel-go: place, line and a pointer, each. */
export function formatProblems(source: string, problems: readonly CelProblem[]): string {
  return problems.toSorted((a, b) => a.at - b.at).map(({ at, text }) => {
    const before = source.slice(0, at);
    const line = before.split('\n').length;
    const column = at - (before.lastIndexOf('\n') + 1);
    return `ERROR: <input>:${line}:${column + 1}: ${text}\n | ${source.split('\n')[line - 1] ?? ''}\n | ${'.'.repeat(column)}^`;
  }).join('\n');
}
