import { trimEndOf } from '@kubechain/apimachinery';
import type { FlowControl } from './flow-control.ts';
import type { FlowRequest } from './flow-request.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { RequestQueue } from './request-queue.ts';
import { formatSeatSeconds } from './seat-seconds.ts';
import { tabTable } from './tab-table.ts';

/** A row per priority level (util/flowcontrol/apf_controller_debug.go, 1.36). */
export function dumpPriorityLevels(flowControl: FlowControl): string {
  const rows = sortedLevels(flowControl).map(({ name, queues, quiescing }) =>
    [
      name,
      queues.queues.filter(({ waiting }) => waiting > 0).length,
      queues.idle,
      quiescing,
      queues.waiting,
      queues.executing.size,
      queues.dispatched,
      queues.rejected,
      0,
      queues.cancelled,
    ].map(String),
  );
  return tabTable([
    [
      'PriorityLevelName',
      'ActiveQueues',
      'IsIdle',
      'IsQuiescing',
      'WaitingRequests',
      'ExecutingRequests',
      'DispatchedRequests',
      'RejectedRequests',
      'TimedoutRequests',
      'CancelledRequests',
    ],
    ...rows,
  ]);
}

/** A row per queue. */
export function dumpQueues(flowControl: FlowControl): string {
  const rows = sortedLevels(flowControl).flatMap(({ name, queues }) =>
    queues.queues.map((queue) => [
      name,
      String(queue.index),
      String(queue.waiting),
      String(queue.executing),
      String(queue.seatsInUse),
      formatSeatSeconds(queue.nextDispatchR),
      String(queue.waitingInitialSeats),
      String(queue.waitingSeats),
      formatSeatSeconds(queue.waitingWork),
    ]),
  );
  return tabTable([
    [
      'PriorityLevelName',
      'Index',
      'PendingRequests',
      'ExecutingRequests',
      'SeatsInUse',
      'NextDispatchR',
      'InitialSeatsSum',
      'MaxSeatsSum',
      'TotalWorkSum',
    ],
    ...rows,
  ]);
}

/** A row per request that waits or runs; `details` adds who asks for what. */
export function dumpRequests(flowControl: FlowControl, details: boolean): string {
  const row = (
    level: PriorityLevel,
    request: FlowRequest,
    place: { readonly queue: number; readonly index: number },
  ): string[] => [
    level.name,
    request.schema.name,
    String(place.queue),
    String(place.index),
    request.distinguisher,
    formatInstant(request.arrivalMs),
    String(request.initialSeats),
    String(request.finalSeats),
    formatDuration(request.additionalLatencyMs),
    formatInstant(request.startMs),
    ...(details ? detailsOf(request) : []),
  ];
  const rows = sortedLevels(flowControl).flatMap((level) => {
    const executing = Map.groupBy(level.queues.executing, ({ queue }) => queue);
    const running = (queue: RequestQueue<FlowRequest> | undefined): string[][] =>
      (executing.get(queue) ?? []).map((request) => row(level, request, { queue: queue?.index ?? -1, index: -1 }));
    return [
      ...level.queues.queues.flatMap((queue) => [
        ...[...queue.requests()].map((request, index) => row(level, request, { queue: queue.index, index })),
        ...running(queue),
      ]),
      ...running(undefined),
    ];
  });
  return tabTable([
    [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher',
      'ArriveTime',
      'InitialSeats',
      'FinalSeats',
      'AdditionalLatency',
      'StartTime',
      ...(details ? ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'] : []),
    ],
    ...rows,
  ]);
}

function sortedLevels({ levels }: FlowControl): PriorityLevel[] {
  return [...levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function detailsOf({ context: { requestInfo: info, user } }: FlowRequest): string[] {
  const groupVersion = info.apiGroup === '' ? info.apiVersion : `${info.apiGroup}/${info.apiVersion}`;
  return [user.name, info.verb, info.path, info.namespace, info.name, groupVersion, info.resource, info.subresource];
}

/** RFC 3339 with as many digits of a second as there are; Go's zero time for what has not happened. */
function formatInstant(ms: number): string {
  if (ms === 0) return '0001-01-01T00:00:00Z';
  const seconds = Math.floor(ms / 1_000);
  const fraction = trimEndOf(trimEndOf((ms / 1_000 - seconds).toFixed(6).slice(1), '0'), '.');
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}${fraction}Z`;
}

/** Go's text of a duration below a minute. */
function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  return ms < 1_000 ? `${Number(ms.toFixed(6))}ms` : `${Number((ms / 1_000).toFixed(9))}s`;
}
