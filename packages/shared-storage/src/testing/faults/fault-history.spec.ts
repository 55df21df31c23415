import { expect } from 'chai';
import { Follower } from './follower.ts';
import type { FaultClient, FaultWatchSink } from './fault-client.ts';
import { ReadLog } from './read-log.ts';
import { Timeline } from './timeline.ts';
import type { Change } from './timeline.ts';
import { WriteLog } from './write-log.ts';
import type { Outcome } from './write-log.ts';

const unknown: Outcome = { kind: 'unknown', why: 'cut' };
const at = (revision: number): Outcome => ({ kind: 'acknowledged', revision });
const change = (revision: number, type: Change['type'], write: string, selected = true): Change => ({
  type,
  revision,
  name: 'a',
  write,
  selected,
});

/** a: w1 from 2, w2 (not selected) from 4, gone at 6, w3 from 7. */
const story = [
  change(2, 'ADDED', 'w1'),
  change(4, 'MODIFIED', 'w2', false),
  change(6, 'DELETED', 'w2', false),
  change(7, 'ADDED', 'w3'),
];
const timeline = new Timeline(story);

/** A client whose one watch tells `told`. */
function telling(told: readonly Change[]): FaultClient {
  const watch = async (options: { readonly signal: AbortSignal }, sink: FaultWatchSink): Promise<'ended'> => {
    for (const each of told) sink.change(each);
    await new Promise((resolve) => {
      options.signal.addEventListener('abort', resolve);
    });
    return 'ended';
  };
  const unused = (): never => {
    throw new RangeError('not used here');
  };
  return {
    name: 'fake',
    watch,
    put: unused,
    delete: unused,
    get: unused,
    list: unused,
    close: () => Promise.resolve(),
  };
}

async function follow(told: readonly Change[], selectedOnly = false): Promise<void> {
  const follower = new Follower(telling(told), { from: 1, selectedOnly });
  follower.start();
  await follower.stop();
  follower.check(timeline, 7);
}

/** Each row is a kind of failure that the fault suites look for, and must be seen. */
describe('FaultHistory', () => {
  describe('of writes', () => {
    const log = (
      ...writes: readonly (readonly [kind: 'put' | 'delete', write: string, floor: number, outcome: Outcome])[]
    ): WriteLog => {
      const result = new WriteLog();
      for (const [kind, write, floor, outcome] of writes) {
        result.known = floor;
        result.end(result.begin({ kind, name: 'a', write }), outcome);
      }
      return result;
    };
    const rows: readonly (readonly [string, RegExp | undefined, WriteLog])[] = [
      [
        'accepts what happened',
        undefined,
        log(['put', 'w1', 1, at(2)], ['put', 'w2', 2, unknown], ['delete', '', 4, at(6)], ['put', 'w3', 6, at(7)]),
      ],
      [
        'accepts unanswered writes that did not happen',
        undefined,
        log(
          ['put', 'w1', 1, at(2)],
          ['put', 'x', 1, unknown],
          ['delete', '', 1, unknown],
          ['put', 'w2', 2, at(4)],
          ['delete', '', 4, unknown],
          ['put', 'w3', 6, at(7)],
        ),
      ],
      [
        'accepts a deletion whose answer tells no revision',
        undefined,
        log(
          ['put', 'w1', 1, at(2)],
          ['put', 'w2', 2, at(4)],
          ['delete', '', 4, { kind: 'acknowledged', revision: undefined }],
          ['put', 'w3', 6, at(7)],
        ),
      ],
      [
        'sees a lost write',
        /put a x .* is lost/,
        log(
          ['put', 'w1', 1, at(2)],
          ['put', 'w2', 2, at(4)],
          ['delete', '', 4, at(6)],
          ['put', 'w3', 6, at(7)],
          ['put', 'x', 7, at(8)],
        ),
      ],
      [
        'sees a lost deletion',
        /delete a {2}.* is lost/,
        log(
          ['put', 'w1', 1, at(2)],
          ['delete', '', 2, at(3)],
          ['put', 'w2', 2, at(4)],
          ['delete', '', 4, at(6)],
          ['put', 'w3', 6, at(7)],
        ),
      ],
      [
        'sees a lost deletion without revision',
        /delete a, begun at 6, is lost/,
        log(
          ['put', 'w1', 1, at(2)],
          ['put', 'w2', 2, at(4)],
          ['delete', '', 4, at(6)],
          ['delete', '', 6, { kind: 'acknowledged', revision: undefined }],
          ['put', 'w3', 6, at(7)],
        ),
      ],
      [
        'sees a write at another revision',
        /has another revision/,
        log(['put', 'w1', 1, at(3)], ['put', 'w2', 2, at(4)], ['delete', '', 4, at(6)], ['put', 'w3', 6, at(7)]),
      ],
      [
        'sees a write that happened before it began',
        /before it began/,
        log(['put', 'w1', 2, at(2)], ['put', 'w2', 2, at(4)], ['delete', '', 4, at(6)], ['put', 'w3', 6, at(7)]),
      ],
      [
        'sees content that nobody wrote',
        /nobody wrote/,
        log(['put', 'w1', 1, at(2)], ['put', 'w2', 2, at(4)], ['delete', '', 4, at(6)]),
      ],
      [
        'sees a deletion that nobody asked for',
        /that nobody asked for/,
        log(['put', 'w1', 1, at(2)], ['put', 'w2', 2, at(4)], ['put', 'w3', 6, at(7)]),
      ],
    ];
    for (const [name, failure, writes] of rows) {
      it(name, () => {
        if (failure === undefined) writes.check(timeline);
        else expect(() => writes.check(timeline)).to.throw(failure);
      });
    }
    it('accepts an unanswered deletion that happens after an answered one', () => {
      const late = new Timeline([
        change(2, 'ADDED', 'w1'),
        change(3, 'DELETED', 'w1'),
        change(5, 'ADDED', 'w2'),
        change(6, 'DELETED', 'w2'),
      ]);
      log(
        ['put', 'w1', 1, at(2)],
        ['delete', '', 2, { kind: 'acknowledged', revision: undefined }],
        ['delete', '', 3, unknown],
        ['put', 'w2', 3, at(5)],
      ).check(late);
    });
    it('sees a write that happened twice', () => {
      const twice = new Timeline([change(2, 'ADDED', 'w1'), change(3, 'MODIFIED', 'w1')]);
      expect(() => log(['put', 'w1', 1, at(2)]).check(twice)).to.throw(/more than once/);
    });
  });

  describe('of watchers', () => {
    const rows: readonly (readonly [string, RegExp | undefined, readonly Change[], boolean?])[] = [
      ['accepts what happened', undefined, story],
      [
        'accepts what a selection sees',
        undefined,
        [change(2, 'ADDED', 'w1'), change(4, 'DELETED', 'w1'), change(7, 'ADDED', 'w3')],
        true,
      ],
      ['sees a missing event', /from 1 to 7/, story.filter(({ revision }) => revision !== 4)],
      ['sees a missing end', /was not told everything/, story.slice(0, 3)],
      ['sees a repeated event', /came twice or too late/, [story[0]!, story[0]!, ...story.slice(1)]],
      ['sees events in another order', /came twice or too late/, [story[0]!, story[2]!, story[1]!, story[3]!]],
      ['sees another type', /from 1 to 7/, [change(2, 'MODIFIED', 'w1'), ...story.slice(1)]],
      ['sees other content', /from 1 to 7/, [change(2, 'ADDED', 'w2'), ...story.slice(1)]],
      ['sees what a selection should not', /from 1 to 7/, story, true],
    ];
    for (const [name, failure, told, selectedOnly] of rows) {
      it(name, async () => {
        const error = await follow(told, selectedOnly).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (failure === undefined) expect(error).to.equal(undefined);
        else expect(String(error)).to.match(failure);
      });
    }
  });

  describe('of reads', () => {
    type List = Parameters<ReadLog['list']>[0];
    type Get = Parameters<ReadLog['get']>[0];
    const list = (how: List['how'], revision: number, items: List['items'], floor = 0): List => ({
      how,
      revision,
      items,
      floor,
    });
    const get = (write: string | undefined, floor: number): Get => ({ name: 'a', write, floor });
    const rows: readonly (readonly [string, RegExp | undefined, readonly (List | Get)[]])[] = [
      [
        'accepts lists of their moment',
        undefined,
        [list('consistent', 3, [['a', 'w1']], 2), list('anyState', 2, [['a', 'w1']], 6), list('paged', 6, [])],
      ],
      [
        'accepts reads of one object',
        undefined,
        [get(undefined, 1), get('w1', 1), get('w1', 3), get('w2', 3), get(undefined, 5), get('w3', 6)],
      ],
      ['sees a list of no moment', /consistent list at 4/, [list('consistent', 4, [['a', 'w1']])]],
      ['sees a list that is too old', /older than what was known/, [list('consistent', 3, [['a', 'w1']], 4)]],
      [
        'sees a list that goes back',
        /went back in time/,
        [list('anyState', 4, [['a', 'w2']]), list('anyState', 3, [['a', 'w1']])],
      ],
      ['sees an object that is too old', /got a as w1/, [get('w1', 4)]],
      ['sees an object that goes back', /got a as w1/, [get('w2', 1), get('w1', 1)]],
      ['sees an object that should be there', /got a as absent/, [get(undefined, 7)]],
      ['sees an object that was never there', /got a as w9/, [get('w9', 1)]],
    ];
    for (const [name, failure, reads] of rows) {
      it(name, () => {
        const log = new ReadLog('reader');
        for (const read of reads) {
          if ('how' in read) log.list(read);
          else log.get(read);
        }
        if (failure === undefined) log.check(timeline, 7);
        else expect(() => log.check(timeline, 7)).to.throw(failure);
      });
    }
  });

  it('sees a truth that contradicts itself', () => {
    expect(() => new Timeline([change(2, 'MODIFIED', 'w1')])).to.throw(/MODIFIED a@2/);
    expect(() => new Timeline([story[1]!, story[0]!])).to.throw(/MODIFIED a@4|back in time/);
  });
});
