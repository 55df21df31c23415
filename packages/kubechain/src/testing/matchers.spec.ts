import { expect, use } from 'chai';
import { JournalExpectationError, type RequestJournal } from '../control/request-journal.ts';
import { journalAssertions, journalMatchers, type JournalAssertions } from './matchers.ts';

use(journalAssertions);

/** A journal that answers every expectation the same way, and keeps what it was asked. */
function journalThat(answer: () => Promise<unknown>): { readonly journal: RequestJournal; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const journal = new Proxy({} as RequestJournal, {
    get:
      (_target, method) =>
      (...args: readonly unknown[]) => {
        asked.push([method, ...args]);
        return answer();
      },
  });
  return { journal, asked };
}

const holds = (): Promise<void> => Promise.resolve();
const fails = (): Promise<never> => Promise.reject(new JournalExpectationError('one was made'));
const breaks = (): Promise<never> => Promise.reject(new TypeError('no such chain'));

async function failureOf(assertion: Promise<unknown>): Promise<string | undefined> {
  return assertion.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

describe('matchers of the journal', () => {
  const calls = {
    toHaveNoWrites: [[{ since: 1 }], 'expectNoWrites'],
    toHaveAtMost: [[2, { verb: 'get' }], 'expectAtMost'],
    toHaveRequest: [[{ verb: 'get' }, 5], 'waitFor'],
    toHaveSameWrites: [['{}', { since: 1 }], 'expectSameWrites'],
    toHaveNoConflicts: [[{ since: 1 }], 'expectNoConflicts'],
    toHaveNoHotLoops: [[{ since: 1 }], 'expectNoHotLoops'],
    toHaveNoUnboundedLists: [[{ since: 1 }], 'expectNoUnboundedLists'],
  } as const satisfies Record<keyof typeof journalMatchers, readonly [readonly unknown[], keyof RequestJournal]>;

  for (const [name, [args, method]] of Object.entries(calls))
    it(`${name} asks the journal for ${method}`, async () => {
      const { asked, journal } = journalThat(holds);
      const matcher = journalMatchers[name as keyof typeof calls] as (...of: unknown[]) => Promise<unknown>;
      expect(await matcher(journal, ...args)).to.include({ pass: true });
      expect(asked).to.deep.equal([[method, ...args]]);
    });

  it('tell why an expectation does not hold', async () => {
    const { message, pass } = await journalMatchers.toHaveNoWrites(journalThat(fails).journal);
    expect([pass, message()]).to.deep.equal([false, 'one was made']);
  });

  it('leave other errors to the test', async () => {
    expect(await failureOf(journalMatchers.toHaveNoWrites(journalThat(breaks).journal))).to.equal('no such chain');
  });

  describe('of chai', () => {
    const assertion = (answer: () => Promise<unknown>): Chai.Assertion & JournalAssertions =>
      expect(journalThat(answer).journal) as Chai.Assertion & JournalAssertions;

    it('hold', async () => {
      expect(await failureOf(assertion(holds).haveNoWrites())).to.equal(undefined);
    });

    it('fail with what the journal says', async () => {
      expect(await failureOf(assertion(fails).haveAtMost(1, {}))).to.equal('one was made');
    });

    it('are turned by not', async () => {
      const not = (answer: () => Promise<unknown>): JournalAssertions =>
        assertion(answer).not as unknown as JournalAssertions;
      expect(await failureOf(not(fails).haveNoWrites())).to.equal(undefined);
      expect(await failureOf(not(holds).haveNoWrites())).to.equal(
        'the journal was expected to fail haveNoWrites, and does not',
      );
    });
  });
});
