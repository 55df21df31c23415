import { StageError } from '../stage-error.ts';
import type { Body, Command, Operand, Pipe, TemplateNode } from './template-nodes.ts';
import { templateTokens, type TemplateToken } from './tokens.ts';

/**
 * Reads a template of the subset of Go's text/template that stages use: texts, pipelines, variables, `if`, `with`,
 * `range`, `break`, `continue`, comments. `known` says which functions there are, so that what is missing is told here
 * and not when the template is first used.
 * @throws StageError with the line
 */
export function parseTemplate(source: string, known: (functionName: string) => boolean): Body {
  return new Parser(templateTokens(source), known).parse();
}

/** Nodes, and the word that ended them; undefined at the template's end. */
interface ReadBody {
  readonly body: Body;
  readonly ended: 'end' | 'else' | undefined;
  readonly line: number;
}

const unsupported = new Set(['define', 'template', 'block']);

class Parser {
  readonly #tokens: readonly TemplateToken[];
  readonly #known: (name: string) => boolean;
  #at = 0;
  /** Names in scope, innermost last: one list per block. */
  readonly #scopes: Set<string>[] = [new Set([''])];
  #ranges = 0;

  constructor(tokens: readonly TemplateToken[], known: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#known = known;
  }

  parse(): Body {
    const { body, ended, line } = this.#body();
    if (ended !== undefined) throw new StageError(`line ${line}: unexpected {{${ended}}}`);
    return body;
  }

  /** Nodes up to `{{end}}` or `{{else`, whose words are read, or up to the end of the template. */
  #body(): ReadBody {
    const body: TemplateNode[] = [];
    for (;;) {
      const token = this.#next();
      if (token === undefined) return { body, ended: undefined, line: this.#lastLine() };
      if (token.kind === 'text') {
        body.push({ kind: 'text', text: token.text });
        continue;
      }
      const first = this.#peek();
      if (first?.kind === 'close') throw new StageError(`line ${token.line}: missing value for command`);
      const word = first?.kind === 'word' ? first.name : '';
      if (unsupported.has(word)) throw new StageError(`line ${token.line}: {{${word}}} is not supported`);
      if (word === 'end' || word === 'else') {
        this.#next();
        return { body, ended: word, line: token.line };
      }
      if (word === 'if' || word === 'with' || word === 'range') {
        this.#next();
        body.push(this.#block(word));
      } else if (word === 'break' || word === 'continue') {
        this.#next();
        if (this.#ranges === 0) throw new StageError(`line ${token.line}: {{${word}}} outside {{range}}`);
        this.#close(word);
        body.push({ kind: word });
      } else {
        const pipe = this.#pipe();
        this.#close('command');
        body.push({ kind: 'print', pipe });
      }
    }
  }

  #block(kind: 'if' | 'with' | 'range'): TemplateNode {
    this.#scopes.push(new Set());
    const pipe = this.#pipe(kind === 'range');
    this.#close(kind);
    if (kind === 'range') this.#ranges++;
    const main = this.#scoped();
    if (kind === 'range') this.#ranges--;
    let orElse: Body = [];
    if (main.ended === 'else') {
      const chained = this.#peek();
      if (chained?.kind === 'word' && chained.name === kind && kind !== 'range') {
        this.#next();
        // It has the same {{end}}.
        orElse = [this.#block(kind)];
        this.#scopes.pop();
        return { kind, pipe, body: main.body, orElse };
      }
      this.#close('else');
      const rest = this.#scoped();
      if (rest.ended !== 'end') throw new StageError(`line ${pipe.line}: {{${kind}}} has no {{end}}`);
      orElse = rest.body;
    } else if (main.ended === undefined) throw new StageError(`line ${pipe.line}: {{${kind}}} has no {{end}}`);
    this.#close('end');
    this.#scopes.pop();
    return { kind, pipe, body: main.body, orElse };
  }

  #scoped(): ReadBody {
    this.#scopes.push(new Set());
    const read = this.#body();
    this.#scopes.pop();
    return read;
  }

  #pipe(ranges = false): Pipe {
    const line = this.#line();
    const { variables, declares } = this.#declaration(ranges);
    const commands = [this.#command(line)];
    while (this.#isSign('|')) {
      this.#next();
      commands.push(this.#command(line));
    }
    // Known from here on, not in their own values.
    if (declares) for (const name of variables) this.#scopes.at(-1)!.add(name);
    return { line, variables, declares, commands };
  }

  #declaration(ranges: boolean): { readonly variables: readonly string[]; readonly declares: boolean } {
    const start = this.#at;
    const variables: string[] = [];
    for (;;) {
      const token = this.#next();
      if (token?.kind !== 'variable') break;
      variables.push(token.name);
      const sign = this.#next();
      if (sign?.kind === 'sign' && sign.sign === ',' && ranges && variables.length === 1) continue;
      if (sign?.kind === 'sign' && (sign.sign === ':=' || sign.sign === '=')) {
        if (sign.sign === '=') for (const name of variables) this.#mustKnow(name, token.line);
        return { variables, declares: sign.sign === ':=' };
      }
      break;
    }
    this.#at = start;
    return { variables: [], declares: false };
  }

  #command(line: number): Command {
    const operands: Operand[] = [];
    for (let operand = this.#operand(); operand !== undefined; operand = this.#operand()) operands.push(operand);
    if (operands.length === 0) throw new StageError(`line ${line}: missing value for command`);
    if (operands.length > 1 && operands[0]!.kind !== 'function')
      throw new StageError(`line ${line}: arguments are given to what is no function`);
    return { line, operands };
  }

  #operand(): Operand | undefined {
    const token = this.#peek();
    if (token === undefined) return undefined;
    const { line } = token;
    switch (token.kind) {
      case 'text':
      case 'open':
      case 'close':
        return undefined;
      case 'string':
      case 'number':
        this.#next();
        return { kind: 'literal', value: token.value };
      case 'word':
        this.#next();
        return this.#word(token.name, line);
      case 'dot':
        this.#next();
        return { kind: 'path', base: { kind: 'dot' }, fields: [], line };
      case 'field':
        return { kind: 'path', base: { kind: 'dot' }, fields: this.#fields(true), line };
      case 'variable':
        this.#next();
        this.#mustKnow(token.name, line);
        return { kind: 'path', base: { kind: 'variable', name: token.name }, fields: this.#fields(), line };
      case 'sign': {
        if (token.sign !== '(') {
          if (token.sign === '|' || token.sign === ')') return undefined;
          throw new StageError(`line ${line}: unexpected ${JSON.stringify(token.sign)} in an operand`);
        }
        this.#next();
        const pipe = this.#pipe();
        if (!this.#isSign(')')) throw new StageError(`line ${line}: unclosed left paren`);
        this.#next();
        return { kind: 'path', base: { kind: 'pipe', pipe }, fields: this.#fields(), line };
      }
      default:
        return token satisfies never;
    }
  }

  #word(name: string, line: number): Operand {
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' };
    if (name === 'nil') return { kind: 'literal', value: undefined };
    if (!this.#known(name)) throw new StageError(`line ${line}: function ${JSON.stringify(name)} is not supported`);
    return { kind: 'function', name, line };
  }

  #fields(first = false): readonly string[] {
    const fields: string[] = [];
    for (let token = this.#peek(); token?.kind === 'field'; token = this.#peek()) {
      if (!token.joined && !(first && fields.length === 0)) break;
      fields.push(token.name);
      this.#next();
    }
    return fields;
  }

  #mustKnow(name: string, line: number): void {
    if (!this.#scopes.some((scope) => scope.has(name)))
      throw new StageError(`line ${line}: undefined variable "$${name}"`);
  }

  #close(what: string): void {
    const token = this.#next();
    if (token?.kind !== 'close')
      throw new StageError(`line ${token?.line ?? this.#lastLine()}: unexpected token in ${what}`);
  }

  #isSign(sign: string): boolean {
    const token = this.#peek();
    return token?.kind === 'sign' && token.sign === sign;
  }

  #peek(): TemplateToken | undefined {
    return this.#tokens[this.#at];
  }

  #next(): TemplateToken | undefined {
    return this.#tokens[this.#at++];
  }

  #line(): number {
    return this.#peek()?.line ?? this.#lastLine();
  }

  #lastLine(): number {
    return this.#tokens.at(-1)?.line ?? 1;
  }
}
