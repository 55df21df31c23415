/**
 * What journals are held to, in the words of assertion libraries: `expect.extend(journalMatchers)` for jest and vitest,
 * `use(journalAssertions)` for chai. All of them have to be awaited.
 */
import type { JournalFilter, RequestJournal } from '../control/request-journal.ts';

/** What `expect(env.journal)` has: with jest and vitest by these names, with chai without the first `to`. */
export interface JournalMatchers<R = Promise<void>> {
  /** Nothing was written. */
  toHaveNoWrites(filter?: JournalFilter): R;
  /** At most so many requests fit. */
  toHaveAtMost(most: number, filter: JournalFilter): R;
  /** A request fits, or one does within `timeoutMs`; default 10 s. */
  toHaveRequest(filter: JournalFilter, timeoutMs?: number): R;
  /** The writes are those of a recording: a journal in JSON lines, with bodies. */
  toHaveSameWrites(recording: string, filter?: JournalFilter): R;
  /** No write met 409. */
  toHaveNoConflicts(filter?: JournalFilter): R;
  /** No request was made ten times within a second. */
  toHaveNoHotLoops(filter?: JournalFilter): R;
  /** Nobody listed everything at once, at the latest revision. */
  toHaveNoUnboundedLists(filter?: JournalFilter): R;
}

/** The same by chai's names. */
export interface JournalAssertions {
  haveNoWrites: JournalMatchers['toHaveNoWrites'];
  haveAtMost: JournalMatchers['toHaveAtMost'];
  haveRequest: JournalMatchers['toHaveRequest'];
  haveSameWrites: JournalMatchers['toHaveSameWrites'];
  haveNoConflicts: JournalMatchers['toHaveNoConflicts'];
  haveNoHotLoops: JournalMatchers['toHaveNoHotLoops'];
  haveNoUnboundedLists: JournalMatchers['toHaveNoUnboundedLists'];
}

/** What a matcher of jest and vitest resolves to. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

type MatcherName = keyof JournalMatchers;
type ArgumentsOf<Name extends MatcherName> = Parameters<JournalMatchers[Name]>;

/** Resolves where it holds. @throws JournalExpectationError that says why it does not */
type Expectation<Name extends MatcherName> = (journal: RequestJournal, ...args: ArgumentsOf<Name>) => Promise<unknown>;

const expectations: { readonly [Name in MatcherName]: Expectation<Name> } = {
  toHaveNoWrites: (journal, filter) => journal.expectNoWrites(filter),
  toHaveAtMost: (journal, most, filter) => journal.expectAtMost(most, filter),
  toHaveRequest: (journal, filter, timeoutMs) => journal.waitFor(filter, timeoutMs),
  toHaveSameWrites: (journal, recording, filter) => journal.expectSameWrites(recording, filter),
  toHaveNoConflicts: (journal, filter) => journal.expectNoConflicts(filter),
  toHaveNoHotLoops: (journal, filter) => journal.expectNoHotLoops(filter),
  toHaveNoUnboundedLists: (journal, filter) => journal.expectNoUnboundedLists(filter),
};

type Matchers = {
  readonly [Name in MatcherName]: (journal: RequestJournal, ...args: ArgumentsOf<Name>) => Promise<MatcherResult>;
};

/** For `expect.extend` of jest and vitest. */
export const journalMatchers: Matchers = Object.fromEntries(
  Object.entries(expectations).map(([name, expectation]) => [
    name,
    (journal: unknown, ...args: readonly unknown[]) => resultOf(name, expectation as Held, [journal, ...args]),
  ]),
) as unknown as Matchers;

type Held = (...args: readonly unknown[]) => Promise<unknown>;

/** Errors of other kinds, of a filter that is refused for instance, are the test's to see whatever it expects. */
async function resultOf(name: string, expectation: Held, args: readonly unknown[]): Promise<MatcherResult> {
  try {
    await expectation(...args);
    return { pass: true, message: () => `the journal was expected to fail ${name}, and does not` };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'JournalExpectationError') throw error;
    return { pass: false, message: () => error.message };
  }
}

/** Of chai what its plugins get. */
interface Chai {
  readonly AssertionError: new (message: string) => Error;
  readonly Assertion: {
    addMethod(name: string, method: (this: object, ...args: readonly unknown[]) => unknown): void;
  };
}

interface ChaiUtils {
  flag(assertion: object, name: string): unknown;
}

/** A plugin of chai: `use(journalAssertions)`, then `await expect(env.journal).to.haveNoWrites({ since })`. */
export function journalAssertions(chai: Chai, utils: ChaiUtils): void {
  for (const [name, expectation] of Object.entries(expectations)) {
    const own = `h${name.slice('toH'.length)}`;
    chai.Assertion.addMethod(own, async function (...args) {
      const journal = utils.flag(this, 'object');
      const { message, pass } = await resultOf(own, expectation as Held, [journal, ...args]);
      if (pass === (utils.flag(this, 'negate') === true)) throw new chai.AssertionError(message());
    });
  }
}
