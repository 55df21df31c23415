import type { CronJob } from '@kubechain/apimachinery/types/batch/v1';
import { parseSchedule } from '@kubechain/component-helpers';
import { expect } from 'chai';
import { dueStart, nextStartInMs } from './starts.ts';

const at = (time: string): number => Date.parse(`2026-01-${time}Z`);
interface Parts {
  readonly schedule?: string;
  readonly created?: string;
  readonly last?: string;
  readonly deadline?: number;
}
const cronJob = ({ created = '01T10:00:00', deadline, last, schedule = '0 * * * *' }: Parts): CronJob =>
  ({
    metadata: { name: 'c', creationTimestamp: `2026-01-${created}Z` },
    spec: { schedule, ...(deadline === undefined ? {} : { startingDeadlineSeconds: deadline }) },
    ...(last === undefined ? {} : { status: { lastScheduleTime: `2026-01-${last}Z` } }),
  }) as unknown as CronJob;
const due = (parts: Parts, now: string): string => {
  const given = cronJob(parts);
  const found = dueStart(given, parseSchedule(`TZ=UTC ${given.spec.schedule}`), at(now));
  if (found.kind !== 'due') return found.kind;
  return `${new Date(found.startMs).toISOString().slice(8, 19)}${found.tooMany ? ' of too many' : ''}`;
};
const nextIn = (parts: Parts, now: string): number => {
  const given = cronJob(parts);
  return nextStartInMs(given, parseSchedule(`TZ=UTC ${given.spec.schedule}`), at(now)) / 1_000;
};

describe('the start that is due', () => {
  const cases: readonly (readonly [what: string, parts: Parts, now: string, expected: string])[] = [
    ['is none before the first', {}, '01T10:59:59', 'none'],
    ['is the first', {}, '01T11:00:00', '01T11:00:00'],
    ['is none again once it was made', { last: '01T11:00:00' }, '01T11:59:00', 'none'],
    ['is the last of several that were missed', {}, '01T14:30:00', '01T14:00:00'],
    ['is told from too many', { schedule: '* * * * *' }, '01T11:50:30', '01T11:50:00 of too many'],
    ['is one that a deadline lets start', { deadline: 1_800 }, '01T14:20:00', '01T14:00:00'],
    ['is none that a deadline forbids', { deadline: 60 }, '01T14:20:00', 'none'],
    ['is not too many within the deadline', { deadline: 200, schedule: '* * * * *' }, '01T18:00:30', '01T18:00:00'],
    ['is found where starts are not even', { schedule: '30 6-16/4 * * 1-5' }, '02T08:00:00', '02T06:30:00'],
    [
      'may be lost where they are less frequent than they began',
      { schedule: '30 6-16/4 * * 1-5' },
      '04T00:00:00',
      'none',
    ],
    [
      'goes on from the creation with @every',
      { schedule: '@every 5m', created: '01T10:01:02' },
      '01T10:12:00',
      '01T10:11:02',
    ],
    ['cannot be on days that there are not', { schedule: '59 23 31 2 *' }, '05T00:00:00', 'impossible'],
  ];
  for (const [what, parts, now, expected] of cases) it(what, () => expect(due(parts, now)).to.equal(expected));
});

describe('the wait for the next start', () => {
  it('is until just after it', () => expect(nextIn({}, '01T10:30:00')).to.equal(1_800.1));
  it('counts from the last that was due', () =>
    expect(nextIn({ last: '01T11:00:00' }, '01T13:15:00')).to.equal(2_700.1));
  it('is none for days that there are not', () =>
    expect(nextIn({ schedule: '59 23 31 2 *' }, '05T00:00:00')).to.equal(0));
});
