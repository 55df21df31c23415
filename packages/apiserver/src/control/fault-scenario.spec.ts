import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { drawEffect } from './chaos.ts';
import { FaultRuleError } from './fault-rule.ts';
import { parseScenario, parseSeed } from './fault-scenario.ts';
import { FaultScenarios } from './fault-scenarios.ts';
import { FaultSet } from './fault-set.ts';
import { RequestDraws } from './request-draws.ts';
import { requestOf } from './testing/request-of.ts';

const effect = { kind: 'status', code: 500 } as const;

describe('a scenario of faults', () => {
  let clock: FakeClock;
  let faults: FaultSet;
  let scenarios: FaultScenarios;
  let expired: number;
  beforeEach(() => {
    clock = new FakeClock(1_000);
    faults = new FaultSet(clock);
    expired = 0;
    scenarios = new FaultScenarios({ clock, faults, expireWatches: () => void expired++ });
  });

  it('has its steps in time', async () => {
    const steps = [
      { at: '1m', for: '30s', match: { verbs: ['get'] }, effect },
      { at: '2m', expireWatches: true },
    ];
    scenarios.apply(parseScenario({ steps }), 1);
    const met: (string | undefined)[] = [];
    for (const seconds of [0, 60, 29, 1, 30]) {
      await clock.advance(seconds * 1_000);
      met.push(faults.take(requestOf())?.effect.kind);
    }
    expect(met).to.deep.equal([undefined, 'status', 'status', undefined, undefined]);
    expect(expired).to.equal(1);
  });

  it('leaves nothing behind when it is ended', async () => {
    const { id } = scenarios.apply(parseScenario({ steps: [{ effect }, { at: '1s', expireWatches: true }] }), 1);
    expect(faults.take(requestOf())).to.not.equal(undefined);
    expect(scenarios.remove(id)).to.equal(true);
    expect(scenarios.remove(id)).to.equal(false);
    await clock.advance(2_000);
    expect([faults.list(), scenarios.list(), expired]).to.deep.equal([[], [], 0]);
  });

  const chaos = parseScenario({ steps: [{ probability: 0.3, effect: { kind: 'chaos' } }] });
  const round = (seed: number, requests: readonly ServerRequestContext[]): string[] => {
    const { id } = scenarios.apply(chaos, seed);
    const met = requests.map((request) => JSON.stringify(faults.take(request)?.effect ?? null));
    scenarios.remove(id);
    return met;
  };

  it('draws the same by the same seed, and otherwise by another', () => {
    const requests = Array.from({ length: 200 }, (_, i) =>
      requestOf({ verb: ['get', 'list', 'update'][i % 3] as string }),
    );
    const first = round(7, requests);
    expect(first.filter((met) => met !== 'null').length).to.be.within(35, 85);
    expect(round(7, requests)).to.deep.equal(first);
    expect(round(8, requests)).to.not.deep.equal(first);
  });

  it('draws the same for a user, whatever others do and whatever names are generated', () => {
    const alone = round(
      7,
      Array.from({ length: 50 }, () => requestOf()),
    );
    const mixed = Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0 ? requestOf({ name: `web-${i}` }) : requestOf({}, { user: 'bob' }),
    );
    expect(round(7, mixed).filter((_, i) => i % 2 === 0)).to.deep.equal(alone);
  });

  it('draws what a request could meet on a cluster', () => {
    const draws = new RequestDraws(1);
    const could = { verb: 'get', mayBeStale: false, mayBeOvertaken: false, hasCredentials: true };
    const codes = (verb: string, hasCredentials = true): readonly number[] => {
      const met = Array.from({ length: 300 }, () =>
        drawEffect(draws.next(requestOf({ verb })), { ...could, verb, hasCredentials }, ['status']),
      );
      return [...new Set(met.map((one) => (one?.kind === 'status' ? one.code : 0)))].sort((a, b) => a - b);
    };
    expect(codes('update')).to.deep.equal([401, 409, 429, 500, 503, 504]);
    expect(codes('watch')).to.deep.equal([401, 410, 429, 500, 503, 504]);
    expect(codes('get')).to.deep.equal([401, 429, 500, 503, 504]);
    expect(codes('get', false)).to.deep.equal([429, 500, 503, 504]);
    const reads = (mayBeStale: boolean): unknown =>
      drawEffect(draws.next(requestOf()), { ...could, mayBeStale }, ['stale']);
    expect([reads(true), reads(false)]).to.deep.equal([{ kind: 'stale' }, undefined]);
    const writes = (mayBeOvertaken: boolean): unknown =>
      drawEffect(draws.next(requestOf()), { ...could, verb: 'update', mayBeOvertaken }, ['conflict']);
    expect([writes(true), writes(false)]).to.deep.equal([{ kind: 'conflict' }, undefined]);
  });

  it('lets nobody without credentials meet those that have expired', () => {
    const met = (user: string): ReadonlySet<number> => {
      const { id } = faults.add({ match: {}, effect: { kind: 'chaos', among: ['status'] }, seed: 3 });
      const effects = Array.from({ length: 200 }, () => faults.take(requestOf({}, { user }))?.effect);
      faults.remove(id);
      return new Set(effects.map((one) => (one?.kind === 'status' ? one.code : 0)));
    };
    expect(met('alice')).to.include(401);
    expect(met('system:anonymous')).to.include(500).and.not.to.include(401);
  });

  const refused: readonly (readonly [scenario: unknown, error: string])[] = [
    [undefined, 'the scenario must be an object'],
    [{ steps: [] }, 'steps must be a list of one step or more'],
    [{ steps: [{ effect }], name: 'x' }, 'the scenario has no member "name"'],
    [{ steps: [{ effect }], seed: -1 }, 'seed must be a whole number from 0 to 4294967295'],
    [{ steps: [{ effect }, { at: 'soon', effect }] }, 'steps[1]: at must be a duration like 1m30s'],
    [{ steps: [{ for: 5, effect }] }, 'steps[0]: for must be a duration like 1m30s'],
    [{ steps: [{ durationMs: 5, effect }] }, 'steps[0]: the step has no member "durationMs"'],
    [{ steps: [{ expireWatches: true, effect }] }, 'steps[0]: expireWatches must be true, and stand alone with at'],
    [
      { steps: [{ effect: { kind: 'chaos', among: ['fire'] } }] },
      'steps[0]: effect.among must be a list of status, delay, cut, timeout',
    ],
  ];
  for (const [scenario, error] of refused)
    it(`is refused: ${error}`, () => {
      expect(() => parseScenario(scenario)).to.throw(FaultRuleError, error);
    });
  it('has a seed that is a number', () => {
    expect(parseSeed('4294967295')).to.equal(4_294_967_295);
    for (const text of ['', 'x', '1.5', '-1', '4294967296'])
      expect(() => parseSeed(text), text).to.throw(FaultRuleError, 'seed must be');
  });
});
