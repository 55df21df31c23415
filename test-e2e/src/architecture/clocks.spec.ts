import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './documents.ts';
import { machineCalls } from './machine-calls.ts';

const root = join(import.meta.dirname, '../../..');

const call =
  /\bDate\.now\b|\bnew Date\(\)|(?<![.\w])(?:setTimeout|setInterval)\((?!\):)|node:timers\/promises|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b|\bAbortSignal\.timeout\b|\bprocess\.(?:uptime|hrtime)\b/;

/** Whether a source asks the machine for the time, a timer or a random number; what comments say does not count. */
function callsMachine(source: string): boolean {
  return call.test(source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*/g, ''));
}

describe('time, timers and randomness', () => {
  const callers = new Set(
    filesBelow(root, 'packages')
      .filter((path) => /^packages\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path) && !path.includes('/testing/'))
      .filter((path) => callsMachine(readFileSync(join(root, path), 'utf8')))
      .map((path) => `${path.split('/')[1] ?? ''}/${path.split('/').at(-1) ?? ''}`),
  );
  const allowed = machineCalls.flatMap(({ files }) => files);

  it('are handed in, but for the places that have a reason', () => {
    expect([...callers].filter((caller) => !allowed.includes(caller))).to.deep.equal([]);
  });

  it('have no reason without a place', () => {
    expect(allowed.filter((caller) => !callers.has(caller))).to.deep.equal([]);
  });

  it('have one reason in each place', () => {
    expect(allowed.filter((caller, i) => allowed.indexOf(caller) !== i)).to.deep.equal([]);
  });

  for (const [source, calls] of [
    ['const nowMs = Date.now();', true],
    ["import { setTimeout as delay } from 'node:timers/promises';", true],
    ['setTimeout(end, 5);', true],
    ['const id = randomUUID();', true],
    ['socket.setTimeout(1_000);', false],
    ['setTimeout(): this {', false],
    ['/** performance.now() at reception. */ const startedAt = clock.now();', false],
    ['const at = new Date(clock.now());', false],
  ] as const)
    it(`${calls ? 'are asked of the machine' : 'are not'} in: ${source}`, () => {
      expect(callsMachine(source)).to.equal(calls);
    });
});
