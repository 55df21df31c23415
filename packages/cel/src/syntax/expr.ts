/**
 * An expression after macros were expanded, as cel-go's abstract syntax. `at` is the offset of a node in the source,
 * where messages point; what a macro made stands at the macro's call.
 */
export type Expr = ConstExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr;

export interface ConstExpr {
  readonly kind: 'const';
  readonly at: number;
  readonly value: unknown;
}
export interface IdentExpr {
  readonly kind: 'ident';
  readonly at: number;
  readonly name: string;
}
/** `operand.field`; with `test` it asks whether the field is there. */
export interface SelectExpr {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  readonly test: boolean;
}
export interface CallExpr {
  readonly kind: 'call';
  readonly at: number;
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
export interface ListExpr {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly Expr[];
  readonly optional: ReadonlySet<number>;
}
export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
export interface MapExpr {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}
export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
export interface StructExpr {
  readonly kind: 'struct';
  readonly at: number;
  readonly name: string;
  readonly fields: readonly StructField[];
}
/**
 * Goes through `range` with `vars` (items or keys; or keys and values) and `accu`, whose value is what `step` made
 * last.
 */
export interface FoldExpr {
  readonly kind: 'fold';
  readonly at: number;
  readonly range: Expr;
  readonly vars: readonly [string] | readonly [string, string];
  readonly accu: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** Operators as the functions that they are. */
export const operatorNames: ReadonlyMap<string, string> = new Map([
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** The parts of an expression, in the order of the source where they have one. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'const':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.items;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
