import { expect } from 'chai';
import { hasUsualTimes } from './codec.ts';

describe('times of stored objects', () => {
  for (const time of ['2026-01-02T03:04:05Z', '2024-02-29T23:59:59Z', '2025-12-31T00:00:00Z'])
    it(`are usual: ${time}`, () => {
      expect(hasUsualTimes({ creationTimestamp: time })).to.equal(true);
      expect(hasUsualTimes({ creationTimestamp: time, deletionTimestamp: time })).to.equal(true);
    });

  for (const time of [
    '',
    'v1',
    '2026-13-01T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2025-04-31T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T03:04:05.5Z',
    '2026-01-02T03:04:05+01:00',
    1,
  ])
    it(`are not: ${JSON.stringify(time)}`, () => {
      expect(hasUsualTimes({ creationTimestamp: time as string })).to.equal(false);
      expect(hasUsualTimes({ deletionTimestamp: time as string })).to.equal(false);
    });

  it('need not be there', () => {
    expect(hasUsualTimes({})).to.equal(true);
    expect(hasUsualTimes({ creationTimestamp: null as unknown as string })).to.equal(true);
  });
});
