import { expect } from 'chai';
import type { Job } from './job.ts';
import { nextJob, stranded } from './next-job.ts';

const job = (name: string, more: Partial<Job> = {}): Job => ({ name, command: ['true'], ...more });

describe('the order of CI jobs', () => {
  const rows: readonly (readonly [
    title: string,
    waiting: readonly Job[],
    running: readonly Job[],
    next: string | undefined,
  ])[] = [
    ['is that of the list', [job('a'), job('b')], [], 'a'],
    ['passes over what needs another', [job('a', { needs: ['x'] }), job('b')], [], 'b'],
    ['knows what has passed', [job('a', { needs: ['done'] })], [], 'a'],
    ['waits where there is no room', [job('a')], [job('x'), job('y')], undefined],
    [
      'lets small ones go first where there is little room',
      [job('a'), job('b', { load: 0.5 })],
      [job('x', { load: 1.5 })],
      'b',
    ],
    ['runs what is above the capacity by itself', [job('a', { load: 9 })], [], 'a'],
    ['has one of a lane at a time', [job('a', { lane: 'l' }), job('b')], [job('x', { lane: 'l' })], 'b'],
    ['keeps measurements for the end', [job('a', { alone: true }), job('b')], [], 'b'],
    ['lets nothing run beside a measurement', [job('a')], [job('x', { alone: true })], undefined],
    [
      'begins a measurement when everything else is done',
      [job('a', { alone: true }), job('b', { alone: true })],
      [],
      'a',
    ],
    ['begins no measurement while something runs', [job('a', { alone: true })], [job('x')], undefined],
  ];
  for (const [title, waiting, running, next] of rows) {
    it(title, () => {
      expect(nextJob({ waiting, running, passed: new Set(['done']), capacity: 2 })?.name).to.equal(next);
    });
  }

  it('leaves out what needs a job that is lost, at any distance', () => {
    const waiting = [
      job('far', { needs: ['near'] }),
      job('near', { needs: ['done', 'lost'] }),
      job('other', { needs: ['done'] }),
    ];
    expect([...stranded(waiting, new Set(['lost']))]).to.have.deep.members([
      ['near', 'lost'],
      ['far', 'near'],
    ]);
  });
});
