import { StageError } from '../stage-error.ts';
import { isMap } from '../template/go-values.ts';
import { queryFunctions } from './query-functions.ts';
import { queryTokens, type QueryToken } from './tokens.ts';

/** Values that a query finds in a JSON value. Throws what ends jq with an error. */
export type Filter = (input: unknown) => readonly unknown[];

/**
 * Reads a jq query of the subset that stages use: paths (`.a.b["c"].[]`, `[0]`, `?`), pipes, commas, `//`, `and`, `or`,
 * comparisons, literals, and the functions of `queryFunctions`. The result gives what is found, without nulls; what
 * ends with an error finds nothing (kwok's pkg/utils/expression).
 * @throws StageError for what is not understood
 */
export function parseQuery(source: string): Filter {
  const parser = new QueryParser(source);
  const filter = parser.whole();
  return (input) => {
    try {
      return filter(input).filter((value) => value !== null && value !== undefined);
    } catch {
      return [];
    }
  };
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

class QueryParser {
  readonly #source: string;
  readonly #tokens: readonly QueryToken[];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = queryTokens(source);
  }

  whole(): Filter {
    const filter = this.#pipe();
    if (this.#at < this.#tokens.length) this.#refuse();
    return filter;
  }

  #pipe(): Filter {
    let left = this.#comma();
    while (this.#take('|')) {
      const [first, then] = [left, this.#comma()];
      left = (input) => first(input).flatMap(then);
    }
    return left;
  }

  #comma(): Filter {
    let left = this.#alternative();
    while (this.#take(',')) {
      const [first, second] = [left, this.#alternative()];
      left = (input) => [...first(input), ...second(input)];
    }
    return left;
  }

  #alternative(): Filter {
    const left = this.#logic('or');
    if (!this.#take('//')) return left;
    const right = this.#alternative();
    return (input) => {
      const found = quietly(left, input).filter(isTruthy);
      return found.length > 0 ? found : right(input);
    };
  }

  #logic(word: 'or' | 'and'): Filter {
    const operand = (): Filter => (word === 'or' ? this.#logic('and') : this.#comparison());
    let left = operand();
    while (this.#takeWord(word)) {
      const [first, second] = [left, operand()];
      left = (input) =>
        first(input).flatMap((value) =>
          isTruthy(value) === (word === 'or') ? [word === 'or'] : second(input).map(isTruthy),
        );
    }
    return left;
  }

  #comparison(): Filter {
    const left = this.#postfix();
    const token = this.#tokens[this.#at];
    const holds = token?.kind === 'sign' ? comparisons[token.sign] : undefined;
    if (holds === undefined) return left;
    this.#at++;
    const right = this.#postfix();
    return (input) => right(input).flatMap((other) => left(input).map((value) => holds(orderOf(value, other))));
  }

  #postfix(): Filter {
    let filter = this.#primary();
    for (;;) {
      const token = this.#tokens[this.#at];
      const before = filter;
      if (token?.kind === 'field') {
        this.#at++;
        filter = (input) => before(input).map((value) => fieldOf(value, token.name));
      } else if (this.#sees('.') && this.#sees('[', 1)) this.#at++;
      else if (this.#take('[')) {
        const suffix = this.#suffix();
        filter = (input) => before(input).flatMap((value) => suffix(value, input));
      } else if (this.#take('?')) filter = (input) => quietly(before, input);
      else return filter;
    }
  }

  /** What follows `[` after a value: an iteration, a key or an index. */
  #suffix(): (value: unknown, input: unknown) => readonly unknown[] {
    if (this.#take(']')) return (value) => itemsOf(value);
    const key = this.#pipe();
    this.#must(']');
    return (value, input) =>
      key(input).map((one) => (typeof one === 'number' ? itemAt(value, one) : fieldOf(value, String(one))));
  }

  #primary(): Filter {
    const token = this.#tokens[this.#at++];
    switch (token?.kind) {
      case 'string':
      case 'number':
        return () => [token.value];
      case 'field':
        return (input) => [fieldOf(input, token.name)];
      case 'word':
        return this.#call(token.name);
      case 'sign':
        if (token.sign === '.') return (input) => [input];
        if (token.sign === '-') {
          const negated = this.#postfix();
          return (input) => negated(input).map((value) => -Number(value));
        }
        if (token.sign === '(') {
          const inner = this.#pipe();
          this.#must(')');
          return inner;
        }
        if (token.sign === '[') {
          if (this.#take(']')) return () => [[]];
          const inner = this.#pipe();
          this.#must(']');
          return (input) => [inner(input)];
        }
        break;
      case undefined:
    }
    this.#at--;
    return this.#refuse();
  }

  #call(name: string): Filter {
    if (name === 'true' || name === 'false') return () => [name === 'true'];
    if (name === 'null') return () => [null];
    const args: Filter[] = [];
    if (this.#take('(')) {
      do args.push(this.#pipe());
      while (this.#take(';'));
      this.#must(')');
    }
    const make = queryFunctions[`${name}/${args.length}`];
    if (make === undefined)
      throw new StageError(`the function ${name}/${args.length} is not supported in the query ${this.#source}`);
    return make(...args);
  }

  #sees(sign: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === 'sign' && token.sign === sign;
  }

  #take(sign: string): boolean {
    const taken = this.#sees(sign);
    if (taken) this.#at++;
    return taken;
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at];
    const taken = token?.kind === 'word' && token.name === word;
    if (taken) this.#at++;
    return taken;
  }

  #must(sign: string): void {
    if (!this.#take(sign)) this.#refuse();
  }

  #refuse(): never {
    const token = this.#tokens[this.#at];
    const what =
      token === undefined
        ? 'its end'
        : 'value' in token
          ? String(token.value)
          : 'name' in token
            ? token.name
            : token.sign;
    throw new StageError(`unexpected ${what} in the query ${this.#source}`);
  }
}

function isTruthy(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false;
}

function quietly(filter: Filter, input: unknown): readonly unknown[] {
  try {
    return filter(input);
  } catch {
    return [];
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return null;
  if (!isMap(value)) throw new TypeError(`cannot index with ${name}`);
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function itemAt(value: unknown, index: number): unknown {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) throw new TypeError('cannot index with a number');
  return value.at(index) ?? null;
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isMap(value)) return Object.values(value);
  throw new TypeError('cannot iterate');
}

/** jq's order: null, false, true, numbers, strings, the rest by its text. */
function orderOf(one: unknown, other: unknown): number {
  const rank = (value: unknown): number =>
    value === null || value === undefined
      ? 0
      : value === false
        ? 1
        : value === true
          ? 2
          : typeof value === 'number'
            ? 3
            : typeof value === 'string'
              ? 4
              : 5;
  const ranks = rank(one) - rank(other);
  if (ranks !== 0) return ranks;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [text, otherText] =
    typeof one === 'string' ? [one, String(other)] : [JSON.stringify(one ?? null), JSON.stringify(other ?? null)];
  return text < otherText ? -1 : text > otherText ? 1 : 0;
}
