import { expect } from 'chai';
import { canonicalDuration, formatDuration, parseDuration } from './duration.ts';
import { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime } from './time.ts';

describe('time', () => {
  const good: [string, string | null][] = [
    ['2024-02-29T10:11:12Z', '2024-02-29T10:11:12Z'],
    ['2024-01-01T10:11:12.987654321Z', '2024-01-01T10:11:12Z'],
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z'],
    ['2024-01-01T1:30:00-00:30', '2024-01-01T02:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:01Z', '0001-01-01T00:00:01Z'],
    ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
  ];
  for (const [input, output] of good)
    it(`stores ${input} as ${output}`, () => expect(canonicalTime(input)).to.equal(output));

  const bad: [string, string][] = [
    ['abc', 'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"'],
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2023-02-20', 'parsing time "2023-02-20" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [
      '2023-02-20T10:00:00',
      'parsing time "2023-02-20T10:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ['2023-02-20T10:00:00Zx"', 'parsing time "2023-02-20T10:00:00Zx\\"": extra text: "x\\""'],
    ['2023-02-20T25:00:00Z', 'parsing time "2023-02-20T25:00:00Z": hour out of range'],
  ];
  for (const [input, message] of bad)
    it(`refuses ${JSON.stringify(input)}`, () => expect(() => canonicalTime(input)).to.throw(message));

  it('wants six digits in a MicroTime', () => {
    expect(canonicalMicroTime('2024-01-01T10:11:12.123456Z')).to.equal('2024-01-01T10:11:12.123456Z');
    expect(() => canonicalMicroTime('2024-01-01T10:11:12Z')).to.throw('cannot parse "Z" as ".000000"');
  });

  it('formats a clock reading', () => {
    expect(formatTime(1_700_000_000_999)).to.equal('2023-11-14T22:13:20Z');
    expect(formatMicroTime(1_700_000_000_999)).to.equal('2023-11-14T22:13:20.999000Z');
  });
});

describe('duration', () => {
  const rows: [string, string][] = [
    ['60m', '1h0m0s'],
    ['1.5h', '1h30m0s'],
    ['0', '0s'],
    ['-1s', '-1s'],
    ['1500ms', '1.5s'],
    ['1us', '1µs'],
    ['100ns', '100ns'],
    ['1m0.5s', '1m0.5s'],
    ['.5m', '30s'],
  ];
  for (const [input, output] of rows)
    it(`stores ${input} as ${output}`, () => expect(canonicalDuration(input)).to.equal(output));

  it('refuses with the texts of Go', () => {
    expect(() => parseDuration('')).to.throw('time: invalid duration ""');
    expect(() => parseDuration('3')).to.throw('time: missing unit in duration "3"');
    expect(() => parseDuration('3d')).to.throw('time: unknown unit "d" in duration "3d"');
    expect(() => parseDuration('9999999h')).to.throw('time: invalid duration "9999999h"');
  });

  it('writes the longest durations', () => {
    expect(formatDuration(-(2n ** 63n))).to.equal('-2562047h47m16.854775808s');
  });

  it('reads durations in one pass', () => {
    const start = process.cpuUsage();
    for (const text of [
      '1'.repeat(1_000_000) + 'x',
      '1h'.repeat(500_000),
      `.${'9'.repeat(1_000_000)}h`,
      '.'.repeat(500_000),
    ])
      try {
        parseDuration(text);
      } catch {
        // Refused, but at once.
      }
    expect(process.cpuUsage(start).user).to.be.below(2_000_000);
    expect(formatDuration(parseDuration('.9999999999999999999991h'))).to.equal('1h0m0s');
  });
});
