import { systemRandomness, systemClock } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { AuditMetrics } from '../audit/audit-metrics.ts';
import { Auditor } from '../audit/auditor.ts';
import { InFlightRequests } from '../filters/in-flight-requests.ts';
import { MaxInFlight } from '../filters/max-in-flight.ts';
import { AuthenticationMetrics } from '../metrics/authentication-metrics.ts';
import { AuthorizationMetrics } from '../metrics/authorization-metrics.ts';
import { FilterDurations } from '../metrics/filter-durations.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import { StorageVersionBarrier } from '../storage-version/storage-version-barrier.ts';
import { buildDelegatedHandlerChain, buildHandlerChain, type HandlerChainOptions } from './handler-chain.ts';

const clock = { ...systemClock, now: Date.now };
const options: HandlerChainOptions = {
  name: 'x',
  clock,
  randomness: systemRandomness,
  metrics: new RequestMetrics(),
  authenticationMetrics: new AuthenticationMetrics(),
  authorizationMetrics: new AuthorizationMetrics(),
  filterDurations: new FilterDurations(new MetricRegistry(), { impersonation: 'constrainedimpersonation' }),
  inFlight: new InFlightRequests(),
  requestTimeoutMs: 60_000,
  corsAllowedOrigins: [/x/],
  hstsDirectives: ['max-age=1'],
  goawayChance: 0.01,
  maxWatchesPerUser: 0,
  authenticator: { authenticate: () => undefined },
  authorizer: { authorize: () => ({ decision: 'Deny', reason: '' }) },
  flowController: new MaxInFlight({ readOnly: 1, mutating: 1 }),
  auditor: new Auditor({
    policy: { rules: [{ level: 'Metadata' }] },
    clock,
    metrics: new AuditMetrics(new MetricRegistry()),
    backend: {
      process: () => true,
      async close() {
        /* nothing is open */
      },
    },
  }),
  storageVersions: undefined,
  control: undefined,
  meetsFaults: false,
  watcher: undefined,
  tracer: undefined,
  watchdog: undefined,
  heap: undefined,
  shutdownSendRetryAfter: true,
  servedBy: 'test',
};

describe('the handler chain', () => {
  it('has every filter in request order', () => {
    expect(buildHandlerChain(options).map(({ name }) => name)).to.deep.equal([
      'panic-recovery',
      'request-received',
      'request-info',
      'latency-trackers',
      'served-by',
      'hsts',
      'cache-control',
      'goaway',
      'retry-after',
      'watch-termination',
      'wait-group',
      'request-deadline',
      'request-timeout',
      'warnings',
      'cors',
      'authentication',
      'tracing',
      'audit',
      'impersonation',
      'watches-per-user',
      'priority-and-fairness',
      'authorization',
      'server-timing',
    ]);
  });

  it('does not do again behind a hop what was done in front of it', () => {
    expect(buildDelegatedHandlerChain(options).map(({ name }) => name)).to.deep.equal([
      'panic-recovery',
      'request-received',
      'request-info',
      'latency-trackers',
      'served-by',
      'hsts',
      'cache-control',
      'goaway',
      'retry-after',
      'watch-termination',
      'wait-group',
      'request-deadline',
      'request-timeout',
      'warnings',
      'delegated-authentication',
      'tracing',
      'audit',
    ]);
  });

  it('has what the control API wants of requests only where there is one', () => {
    const names = (chain: typeof buildHandlerChain, more: Partial<HandlerChainOptions>): readonly string[] =>
      chain({ ...options, ...more }).map(({ name }) => name);
    const storageVersions = new StorageVersionBarrier([]);
    const control = { filter: () => undefined, record: () => undefined };
    for (const [chain, more, filter] of [
      [buildHandlerChain, { control }, 'control'],
      [buildDelegatedHandlerChain, { meetsFaults: true }, 'forwarded-faults'],
      [buildHandlerChain, { storageVersions }, 'storage-version-precondition'],
      [buildDelegatedHandlerChain, { storageVersions }, 'storage-version-precondition'],
    ] as const) {
      const without = names(chain, {});
      expect(without).to.not.include(filter);
      expect(names(chain, more).filter((name) => name !== filter)).to.deep.equal(without);
      expect(names(chain, more)).to.include(filter);
    }
  });
});
