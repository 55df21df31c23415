import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { FlowController } from '../filters/flow-control.ts';
import { MaxInFlight } from '../filters/max-in-flight.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '../flowcontrol/dumps.ts';
import { monotonicClock, messageOf } from '@kubechain/apimachinery';
import { FlowControl } from '../flowcontrol/flow-control.ts';
import { FlowMetrics } from '../flowcontrol/flow-metrics.ts';
import { FollowedConfiguration } from '../flowcontrol/follow-configuration.ts';
import { ObjectStats } from '../flowcontrol/object-stats.ts';
import { registerFlowMetrics } from '../flowcontrol/register-flow-metrics.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { Logger } from '../logging/logger.ts';
import type { featureFlags, genericFlags } from '../options/generic-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { OptionsError } from '../options/options-error.ts';
import { serverContext } from '../request/server-context.ts';
import type { GenericAPIServer } from '../server/generic-api-server.ts';
import type { Handler } from '../request/filter.ts';

const log = new Logger('flow control');
const debugPath = '/debug/api_priority_and_fairness';

export interface OpenFlowControlOptions {
  readonly generic: FlagValues<typeof genericFlags>;
  readonly features: FlagValues<typeof featureFlags>;
  readonly storages: ResourceStorages;
  /** Where the metrics are kept. */
  readonly registry: MetricRegistry;
}

/** Flow control of one process. */
export interface OpenedFlowControl {
  readonly controller: FlowController;
  /** Adds hooks, health and /debug paths to the server that it is the controller of. */
  install(server: GenericAPIServer): void;
  stop(): void;
}

/**
 * Flow control by flags: priority and fairness, or with `--enable-priority-and-fairness=false` two limits. Only a
 * process with a secure port needs it: behind a hop it has been done.
 * @throws OptionsError
 */
export function openFlowControl(options: OpenFlowControlOptions): OpenedFlowControl {
  const metrics = new FlowMetrics(monotonicClock.now());
  return options.features['enable-priority-and-fairness']
    ? openPriorityAndFairness(options, metrics)
    : openMaxInFlight(options, metrics);
}

function openPriorityAndFairness(
  { generic, registry, storages }: OpenFlowControlOptions,
  metrics: FlowMetrics,
): OpenedFlowControl {
  const readOnly = generic['max-requests-inflight'];
  const mutating = generic['max-mutating-requests-inflight'];
  if (readOnly + mutating <= 0)
    throw new OptionsError(
      'InvalidValue',
      `--max-requests-inflight=${readOnly} and --max-mutating-requests-inflight=${mutating} must add up to ` +
        'something positive with --enable-priority-and-fairness',
    );
  let served: GenericAPIServer | undefined;
  const stats = new ObjectStats({
    read: async (signal) => (await served?.objectStats(signal)) ?? new Map(),
    clock: monotonicClock,
  });
  const controller: FlowControl = new FlowControl({
    clock: monotonicClock,
    metrics,
    stats,
    serverLimit: readOnly + mutating,
    defaultWaitMs: generic['request-timeout'] / 4,
    onIdle: () => {
      configuration.changed();
    },
  });
  const configuration = new FollowedConfiguration(storages, {
    clock: monotonicClock,
    target: () => controller,
    onError: (error) => {
      log.warning('cannot follow the configuration', { error: messageOf(error) });
    },
  });
  registerFlowMetrics(registry, metrics, monotonicClock);
  return {
    controller,
    install(server) {
      served = server;
      server.addInformer((signal) => configuration.waitForSync(signal));
      server.addPostStartHook('priority-and-fairness-config-consumer', () => {
        configuration.start();
      });
      server.addPostStartHook('priority-and-fairness-filter', () => {
        stats.start();
      });
      const dump = (name: string, text: (details: boolean) => string): void => {
        server.nonResourceMux.handle(`${debugPath}/${name}`, textHandler(text), { listed: false });
      };
      dump('dump_priority_levels', () => dumpPriorityLevels(controller));
      dump('dump_queues', () => dumpQueues(controller));
      dump('dump_requests', (details) => dumpRequests(controller, details));
    },
    stop() {
      configuration.stop();
      stats.stop();
    },
  };
}

function openMaxInFlight({ generic, registry }: OpenFlowControlOptions, metrics: FlowMetrics): OpenedFlowControl {
  const limits = { readOnly: generic['max-requests-inflight'], mutating: generic['max-mutating-requests-inflight'] };
  const cells = { readOnly: metrics.readOnlyExecuting, mutating: metrics.mutatingExecuting };
  const now = monotonicClock.now();
  cells.readOnly.concurrency.setDenominator(Math.max(1, limits.readOnly), now);
  cells.mutating.concurrency.setDenominator(Math.max(1, limits.mutating), now);
  registerFlowMetrics(registry, metrics, monotonicClock);
  return {
    controller: new MaxInFlight(limits, (kind, delta) => {
      cells[kind].add(delta, monotonicClock.now());
    }),
    install(server) {
      server.addPostStartHook('max-in-flight-filter', () => {
        /* it has been counting from the start */
      });
    },
    stop() {
      /* nothing runs */
    },
  };
}

function textHandler(text: (details: boolean) => string): Handler {
  return (request, response) => {
    const body = Buffer.from(text((serverContext(request).query.get('includeRequestDetails') ?? '') !== ''));
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Length', body.length);
    response.writeHead(200);
    response.end(body);
  };
}
