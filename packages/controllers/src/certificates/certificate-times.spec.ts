import { expect } from 'chai';
import { certificateTimes } from './certificate-times.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nowMs = Date.UTC(2026, 0, 1);
const longestMs = 1_000 * hourMs;

describe('when a certificate that was asked for ends', () => {
  const rows: readonly (readonly [string, number | undefined, number, number])[] = [
    ['as long as it may, less what it began earlier', undefined, 2_000 * hourMs, 1_000 * hourMs - 5 * minuteMs],
    ['as long as was asked', 100 * 3_600, 2_000 * hourMs, 100 * hourMs - 5 * minuteMs],
    ['no longer than it may', 5_000 * 3_600, 9_000 * hourMs, 1_000 * hourMs - 5 * minuteMs],
    ['short lives in full', 3_600, 2_000 * hourMs, hourMs],
    ['at least ten minutes', 1, 2_000 * hourMs, 10 * minuteMs],
    ['with the authority', undefined, 24 * hourMs, 24 * hourMs],
  ];
  for (const [name, askedSeconds, issuerLeftMs, expectedMs] of rows)
    it(name, () => {
      const times = certificateTimes({ nowMs, longestMs, askedSeconds, issuerEndMs: nowMs + issuerLeftMs });
      expect([times.notBefore.getTime() - nowMs, times.notAfter.getTime() - nowMs]).to.deep.equal([
        -5 * minuteMs,
        expectedMs,
      ]);
    });
  it('never after the authority has ended', () => {
    expect(() => certificateTimes({ nowMs, longestMs, askedSeconds: undefined, issuerEndMs: nowMs })).to.throw(
      'the signer has expired: NotAfter=2026-01-01T00:00:00.000Z',
    );
  });
});
