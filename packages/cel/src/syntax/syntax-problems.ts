import { firstOf, grammar, tokensText } from './grammar.ts';
import type { Branch, Item, RuleName } from './grammar.ts';
import type { CelProblem } from './problems.ts';
import { tokenize } from './tokens.ts';
import type { Token, TokenKind } from './tokens.ts';

const maxRecoveries = 30;

/**
 * What is wrong with a source that does not follow the grammar, in the words of the reference's parser, which ANTLR
 * generates: it goes on after a mistake by leaving out a token, by imagining one, or by skipping to where a rule that
 * it is in could go on (antlr4-go error_strategy.go). Only sources that were refused come here.
 */
export function syntaxProblems(source: string): readonly CelProblem[] {
  const { tokens, unread } = tokenize(source);
  const parser = new RecoveringParser(source, tokens);
  parser.parse();
  return [
    ...unread.map(({ at, text }) => ({ at, text: `Syntax error: token recognition error at: '${escaped(text)}'` })),
    ...parser.problems,
  ];
}

function escaped(text: string): string {
  return text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** A rule cannot go on. */
class Stuck extends Error {
  readonly text: string;
  readonly token: Token;
  constructor(text: string, token: Token) {
    super(text);
    this.text = text;
    this.token = token;
  }
}
class TooManyRecoveries extends Error {}

/** Where a parser is: what is left of the rule that it is in. */
type Rest = readonly Item[];

class RecoveringParser {
  readonly problems: CelProblem[] = [];
  readonly #source: string;
  readonly #tokens: readonly Token[];
  /** What is left of the rules around the one that is read, once that is done. */
  readonly #around: Rest[] = [];
  readonly #precedences: number[] = [];
  #next = 0;
  #recovering = false;
  #recoveries = 0;
  /** Where recovery began last, and in which places of the grammar since; a second time there a token is skipped. */
  #lastAt = -1;
  readonly #lastRests = new Set<Rest>();

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  parse(): void {
    try {
      this.#rule('start', 0);
    } catch (error) {
      if (!(error instanceof TooManyRecoveries)) throw error;
      this.problems.push({ at: 0, text: `Syntax error: error recovery attempt limit exceeded: ${maxRecoveries}` });
    }
  }

  #ahead(by = 0): Token {
    return this.#tokens[Math.min(this.#next + by, this.#tokens.length - 1)] as Token;
  }

  #take(): void {
    if (this.#ahead().kind !== 'eof') this.#next++;
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastAt = -1;
    this.#lastRests.clear();
  }

  #report(text: string, token: Token): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.problems.push({ at: token.at, text: `Syntax error: ${text}` });
  }

  /** Reads a rule to its end, whatever happens. */
  #rule(name: RuleName, precedence: number): void {
    this.#precedences.push(precedence);
    let rest: Rest = grammar[name];
    try {
      this.#items(grammar[name], [], (at) => {
        rest = at;
      });
    } catch (error) {
      if (!(error instanceof Stuck)) throw error;
      this.#report(error.text, error.token);
      this.#recover(rest);
    } finally {
      this.#precedences.pop();
    }
  }

  /** Reads items; `after` is what follows them in the same rule. */
  #items(items: readonly Item[], after: Rest, note: (rest: Rest) => void): void {
    for (const [i, item] of items.entries()) {
      const here = join(items, i, after),
        behind = join(items, i + 1, after);
      note(here);
      switch (item.kind) {
        case 'token':
          this.#match(new Set([item.token]), here, behind);
          break;
        case 'anyOf':
          this.#match(new Set(item.tokens), here, behind);
          break;
        case 'rule':
          this.#around.push(behind);
          this.#rule(item.rule, item.precedence);
          this.#around.pop();
          break;
        case 'optional':
          this.#sync(here);
          if (firstOf(item.items).tokens.has(this.#ahead().kind)) this.#items(item.items, behind, note);
          break;
        case 'choice': {
          this.#sync(here);
          const chosen = this.#choose(item.branches);
          this.#items(chosen.items, behind, note);
          break;
        }
        case 'loop':
          this.#loop(item, { here, behind, note });
          break;
      }
    }
  }

  #loop(
    item: Item & { kind: 'loop' },
    { here, behind, note }: { readonly here: Rest; readonly behind: Rest; readonly note: (rest: Rest) => void },
  ): void {
    this.#sync(here);
    let again: Rest = here;
    for (let count = 0; ; count++) {
      if (!(item.once && count === 0) && !this.#goesOn(item)) return;
      again = join([repeated(item)], 0, behind);
      const { items } = item.branches.length === 1 ? (item.branches[0] as Branch) : this.#choose(item.branches);
      this.#items(items, again, note);
      note(again);
      if (item.once) this.#syncAgain(again);
      else this.#sync(again);
    }
  }

  #goesOn({ branches, trailing, once }: Item & { kind: 'loop' }): boolean {
    const { kind } = this.#ahead();
    const precedence = this.#precedences.at(-1) ?? 0;
    // A minus may begin a number, so the reference looks at the token after it.
    if (once && kind === '-' && !firstOf(grammar.member).tokens.has(this.#ahead(1).kind)) this.#noBranch(1);
    const open = branches.some(({ items, precedence: own }) => precedence <= own && firstOf(items).tokens.has(kind));
    // Whether a comma is the last one only the token after it tells.
    return open && (!trailing || firstOf((branches[0] as Branch).items.slice(1)).tokens.has(this.#ahead(1).kind));
  }

  /** The branch that the next tokens begin; where none fits, the tokens up to the first that fits nowhere are told. */
  #choose(branches: readonly Branch[]): Branch {
    const open = branches.filter(({ items }) => firstOf(items).tokens.has(this.#ahead().kind));
    if (open.length <= 1) return open[0] ?? this.#noBranch(0);
    const [first, second] = [this.#ahead(), this.#ahead(1)];
    if (first.kind === '-') return this.#chooseMinus(open, second);
    // What begins with a name: a name alone, a call, or a message, whose name goes on to a brace.
    const dots = first.kind === '.' ? 1 : 0;
    if (first.kind === '.' && second.kind !== 'ident') {
      if (open.length === 2 && (second.kind === '?' || second.kind === 'escaped')) return open[0] as Branch;
      return this.#noBranch(1);
    }
    if (this.#ahead(dots + 1).kind === '(') return open[1] as Branch;
    let ahead = dots + 1;
    while (this.#ahead(ahead).kind === '.' && this.#ahead(ahead + 1).kind === 'ident') ahead += 2;
    return this.#ahead(ahead).kind === '{' && open.length === 3 ? (open[2] as Branch) : (open[0] as Branch);
  }

  #chooseMinus(open: readonly Branch[], second: Token): Branch {
    const isNumber = second.kind === 'int' || second.kind === 'float';
    const [first, last] = [open[0] as Branch, open.at(-1) as Branch];
    // Of literals: whole numbers or others. Of operands: a number, or something that is negated.
    if (first.items[0]?.kind === 'optional')
      return second.kind === 'float' ? last : isNumber ? first : this.#noBranch(1);
    if (isNumber) return first;
    return second.kind === '-' || firstOf(grammar.member).tokens.has(second.kind) ? last : this.#noBranch(1);
  }

  #noBranch(ahead: number): never {
    const start = this.#ahead(),
      end = this.#ahead(ahead);
    const text =
      start.kind === 'eof'
        ? '<EOF>'
        : this.#source.slice(start.at, end.kind === 'eof' ? end.at : end.at + end.text.length);
    const input =
      end.kind === 'eof' && start.kind !== 'eof'
        ? this.#tokens
            .slice(this.#next, this.#next + ahead)
            .map((token) => token.text)
            .join('')
        : text;
    const word = /^.(true|false|null)$/.exec(input)?.[1];
    throw new Stuck(
      word === undefined
        ? `no viable alternative at input '${escaped(input)}'`
        : `mismatched input '${word}' expecting IDENTIFIER`,
      end,
    );
  }

  /** All tokens that may come next: those of the rule, and where it may end here, of the rules around it. */
  #expected(rest: Rest): ReadonlySet<TokenKind> {
    const tokens = new Set<TokenKind>();
    for (const part of [rest, ...this.#around.toReversed()]) {
      const first = firstOf(part);
      for (const one of first.tokens) tokens.add(one);
      if (!first.empty) return tokens;
    }
    return tokens.add('eof');
  }

  #mismatch(rest: Rest): Stuck {
    const token = this.#ahead();
    return new Stuck(`mismatched input '${escaped(token.text)}' expecting ${tokensText(this.#expected(rest))}`, token);
  }

  /** Leaves out a token, if the one after it could come here. */
  #skipped(rest: Rest): boolean {
    const expected = this.#expected(rest);
    if (!expected.has(this.#ahead(1).kind) || this.#ahead().kind === 'eof') return false;
    this.#report(`extraneous input '${escaped(this.#ahead().text)}' expecting ${tokensText(expected)}`, this.#ahead());
    this.#take();
    this.#matched();
    return true;
  }

  #match(tokens: ReadonlySet<TokenKind>, here: Rest, behind: Rest): void {
    if (tokens.has(this.#ahead().kind)) {
      this.#matched();
      this.#take();
      return;
    }
    this.#count();
    if (this.#skipped(here)) {
      this.#take();
      return;
    }
    if (this.#expected(behind).has(this.#ahead().kind)) {
      this.#report(`missing ${tokensText(this.#expected(here))} at '${escaped(this.#ahead().text)}'`, this.#ahead());
      return;
    }
    throw this.#mismatch(here);
  }

  /** Before an optional part, a choice or a loop. */
  #sync(rest: Rest): void {
    if (this.#recovering || this.#mayCome(rest) || this.#skipped(rest)) return;
    throw this.#mismatch(rest);
  }

  /** Between the rounds of a loop: skips to where it could go on. */
  #syncAgain(rest: Rest): void {
    if (this.#recovering || this.#mayCome(rest)) return;
    const expected = this.#expected(rest);
    this.#report(`extraneous input '${escaped(this.#ahead().text)}' expecting ${tokensText(expected)}`, this.#ahead());
    this.#skipTo(new Set([...expected, ...this.#afterRules()]));
  }

  #mayCome(rest: Rest): boolean {
    const { tokens, empty } = firstOf(rest);
    return empty || tokens.has(this.#ahead().kind);
  }

  #afterRules(): ReadonlySet<TokenKind> {
    return new Set(this.#around.flatMap((rest) => [...firstOf(rest).tokens]));
  }

  #skipTo(tokens: ReadonlySet<TokenKind>): void {
    while (this.#ahead().kind !== 'eof' && !tokens.has(this.#ahead().kind)) this.#take();
  }

  #recover(rest: Rest): void {
    this.#count();
    if (this.#lastAt === this.#next && this.#lastRests.has(rest)) this.#take();
    this.#lastAt = this.#next;
    this.#lastRests.add(rest);
    this.#skipTo(this.#afterRules());
  }

  #count(): void {
    if (this.#recoveries++ >= maxRecoveries) throw new TooManyRecoveries();
  }
}

const repeats = new WeakMap<Item & { kind: 'loop' }, Item>();

/** A loop after its first round. */
function repeated(item: Item & { kind: 'loop' }): Item {
  let again = repeats.get(item);
  if (again === undefined) repeats.set(item, (again = { ...item, once: false }));
  return again;
}

const joined = new WeakMap<readonly Item[], Map<string, { readonly after: Rest; readonly rest: Rest }>>();

/**
 * The items from a place on with what follows them; the same list for the same place, so that places can be told apart.
 */
function join(items: readonly Item[], from: number, after: Rest): Rest {
  if (from === 0 && after.length === 0) return items;
  let places = joined.get(items);
  if (places === undefined) joined.set(items, (places = new Map()));
  const known = places.get(`${from}`);
  if (known?.after === after) return known.rest;
  const rest = [...items.slice(from), ...after];
  places.set(`${from}`, { after, rest });
  return rest;
}
