import { messageOf } from '@kubechain/apimachinery';
import { StageError } from '../stage-error.ts';
import { goText, isMap, isTrue } from './go-values.ts';
import type { Body, Command, Operand, Pipe } from './template-nodes.ts';

/** What a template calls by name. */
export type TemplateFunction = (...args: readonly unknown[]) => unknown;
export type TemplateFunctions = Readonly<Record<string, TemplateFunction>>;
/** Finds a function by name. */
export type FindFunction = (name: string) => TemplateFunction | undefined;

/** What a template makes of `data`, its dot. @throws StageError with the line */
export function renderTemplate(body: Body, data: unknown, find: FindFunction): string {
  const run = new Run(find, data);
  run.write(body, data);
  return run.text;
}

/** Ends a turn of the innermost range. */
type Leap = 'break' | 'continue' | undefined;

class Run {
  text = '';
  readonly #find: FindFunction;
  /** Innermost last; `$` is the data. */
  readonly #variables: { readonly name: string; value: unknown }[];

  constructor(find: FindFunction, data: unknown) {
    this.#find = find;
    this.#variables = [{ name: '', value: data }];
  }

  write(body: Body, dot: unknown): Leap {
    for (const node of body) {
      switch (node.kind) {
        case 'text':
          this.text += node.text;
          break;
        case 'print': {
          const value = this.#pipe(node.pipe, dot);
          if (node.pipe.variables.length === 0) this.text += goText(value);
          break;
        }
        case 'break':
        case 'continue':
          return node.kind;
        case 'if':
        case 'with': {
          const depth = this.#variables.length;
          const value = this.#pipe(node.pipe, dot);
          const leap = isTrue(value)
            ? this.write(node.body, node.kind === 'with' ? value : dot)
            : this.write(node.orElse, dot);
          this.#variables.length = depth;
          if (leap !== undefined) return leap;
          break;
        }
        case 'range':
          this.#range(node, dot);
          break;
        default:
          node satisfies never;
      }
    }
    return undefined;
  }

  #range(
    { pipe, body, orElse }: { readonly pipe: Pipe; readonly body: Body; readonly orElse: Body },
    dot: unknown,
  ): void {
    const value = this.#commands(pipe, dot);
    const items = itemsOf(value);
    if (items === undefined) throw new StageError(`line ${pipe.line}: range can't iterate over ${goText(value)}`);
    const depth = this.#variables.length;
    for (const [key, item] of items) {
      const { variables } = pipe;
      if (variables.length > 0) this.#set(pipe, variables.length === 1 ? [item] : [key, item]);
      const leap = this.write(body, item);
      this.#variables.length = depth;
      if (leap === 'break') break;
    }
    if (items.length === 0) this.write(orElse, dot);
    this.#variables.length = depth;
  }

  #pipe(pipe: Pipe, dot: unknown): unknown {
    const value = this.#commands(pipe, dot);
    this.#set(pipe, [value]);
    return value;
  }

  #set({ variables, declares }: Pipe, values: readonly unknown[]): void {
    for (const [index, name] of variables.entries()) {
      if (declares) this.#variables.push({ name, value: values[index] });
      else this.#variable(name).value = values[index];
    }
  }

  #variable(name: string): { value: unknown } {
    return this.#variables.findLast((variable) => variable.name === name)!;
  }

  #commands({ commands }: Pipe, dot: unknown): unknown {
    let value: unknown;
    for (const [index, command] of commands.entries()) value = this.#command(command, dot, index === 0 ? [] : [value]);
    return value;
  }

  #command({ line, operands }: Command, dot: unknown, last: readonly unknown[]): unknown {
    const [first, ...rest] = operands;
    if (first?.kind !== 'function') {
      if (last.length > 0) throw new StageError(`line ${line}: a pipeline goes on into what is no function`);
      return this.#operand(first!, dot);
    }
    const { name } = first;
    // What is not needed is not evaluated: it may be wrong.
    if (name === 'and' || name === 'or') {
      let value: unknown;
      for (const operand of rest) {
        value = this.#operand(operand, dot);
        if (isTrue(value) === (name === 'or')) return value;
      }
      return last.length > 0 ? last[0] : value;
    }
    try {
      const called = this.#find(name);
      if (called === undefined) throw new StageError(`line ${line}: function ${JSON.stringify(name)} is not supported`);
      return called(...rest.map((operand) => this.#operand(operand, dot)), ...last);
    } catch (error) {
      if (error instanceof StageError && error.message.startsWith('line ')) throw error;
      throw new StageError(`line ${line}: error calling ${name}: ${messageOf(error)}`, { cause: error });
    }
  }

  #operand(operand: Operand, dot: unknown): unknown {
    switch (operand.kind) {
      case 'literal':
        return operand.value;
      case 'function':
        return this.#command({ line: operand.line, operands: [operand] }, dot, []);
      case 'path': {
        const { base, fields, line } = operand;
        let value =
          base.kind === 'dot'
            ? dot
            : base.kind === 'variable'
              ? this.#variable(base.name).value
              : this.#pipe(base.pipe, dot);
        for (const field of fields) {
          // What is not there has no fields either, as missing keys of Go's maps.
          if (value === undefined || value === null) return undefined;
          if (!isMap(value)) throw new StageError(`line ${line}: can't evaluate field ${field} in ${goText(value)}`);
          value = Object.hasOwn(value, field) ? value[field] : undefined;
        }
        return value;
      }
      default:
        return operand satisfies never;
    }
  }
}

function itemsOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [...value.entries()];
  if (typeof value === 'number')
    return Array.from({ length: Math.max(0, value) }, (_, index) => [index, index] as const);
  if (isMap(value))
    return Object.keys(value)
      .sort()
      .map((key) => [key, value[key]] as const);
  return undefined;
}
