import { expect } from 'chai';
import { nextStartMs } from './next-start.ts';
import { parseSchedule } from './schedule.ts';

// What github.com/robfig/cron/v3 answers.
const cases: readonly (readonly [what: string, schedule: string, after: string, starts: readonly string[]])[] = [
  [
    'goes by steps, ranges and names',
    'TZ=UTC */20 6-16/4 * * mon-fri',
    '2026-01-01T06:30:00Z',
    ['2026-01-01T06:40:00Z', '2026-01-01T10:00:00Z'],
  ],
  [
    'takes days of the month or of the week where both are given',
    'TZ=UTC 0 0 13 * 5',
    '2026-01-31T12:00:30Z',
    ['2026-02-06T00:00:00Z', '2026-02-13T00:00:00Z'],
  ],
  [
    'waits years for a leap day',
    'TZ=UTC 0 0 29 2 *',
    '2026-01-01T00:00:00Z',
    ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z'],
  ],
  [
    'leaves out what is in a skipped hour',
    'TZ=Europe/Berlin 30 2 * * *',
    '2026-03-28T12:00:00Z',
    ['2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z'],
  ],
  [
    'starts twice in a repeated hour',
    'TZ=Europe/Berlin 30 2 * * *',
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T01:30:00Z'],
  ],
  [
    'leaves out a day whose midnight is skipped',
    'TZ=America/Santiago 0 0 * * *',
    '2026-09-05T12:00:00Z',
    ['2026-09-07T03:00:00Z', '2026-09-08T03:00:00Z'],
  ],
  [
    'knows zones that are half an hour off',
    'CRON_TZ=Asia/Kolkata 0 8 1 JAN ?',
    '2026-05-05T00:00:00Z',
    ['2027-01-01T02:30:00Z'],
  ],
  [
    'counts whole seconds from the last start',
    '@every 1h30m0.9s',
    '2026-01-01T00:00:00.500Z',
    ['2026-01-01T01:30:00Z', '2026-01-01T03:00:00Z'],
  ],
  ['knows descriptors', 'TZ=UTC @weekly', '2026-01-01T00:00:00Z', ['2026-01-04T00:00:00Z', '2026-01-11T00:00:00Z']],
];

describe('the next start of a schedule', () => {
  for (const [what, text, after, starts] of cases)
    it(what, () => {
      const schedule = parseSchedule(text);
      let atMs: number | undefined = Date.parse(after);
      const found = starts.map(() => {
        atMs = atMs === undefined ? undefined : nextStartMs(schedule, atMs);
        return atMs;
      });
      expect(found).to.deep.equal(starts.map((start) => Date.parse(start)));
    });
  for (const text of ['TZ=UTC 0 0 30 2 *', 'TZ=UTC , * * * *'])
    it(`is not there for ${text}`, () => {
      expect(nextStartMs(parseSchedule(text), Date.parse('2026-01-01T00:00:00Z'))).to.equal(undefined);
    });
});
