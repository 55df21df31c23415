/** What a template is made of, after Go's text/template/parse. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipe: Pipe }
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'if' | 'with' | 'range'; readonly pipe: Pipe; readonly body: Body; readonly orElse: Body };

export type Body = readonly TemplateNode[];

/** Commands, each with the last one's value as its last argument; the result goes to variables first. */
export interface Pipe {
  readonly line: number;
  /** None, one, or two in `range $index, $item := …`. */
  readonly variables: readonly string[];
  /** `:=` makes variables, `=` changes them. */
  readonly declares: boolean;
  readonly commands: readonly Command[];
}

/** An operand, or a function with its arguments. */
export interface Command {
  readonly line: number;
  readonly operands: readonly Operand[];
}

export type Operand =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'function'; readonly name: string; readonly line: number }
  /** Fields of the dot, of a variable, or of what stands in parentheses. */
  | {
      readonly kind: 'path';
      readonly base:
        | { readonly kind: 'dot' }
        | { readonly kind: 'variable'; readonly name: string }
        | { readonly kind: 'pipe'; readonly pipe: Pipe };
      readonly fields: readonly string[];
      readonly line: number;
    };
