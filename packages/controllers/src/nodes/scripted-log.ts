import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** On pods: what their containers have logged. */
export const logsAnnotation = 'simulation.kubechain.dev/logs';

/** What of a log is asked for (core/v1 PodLogOptions, as the API server tells kubelets). */
export interface LogOptions {
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

/** Reads the query of a kubelet's /containerLogs. */
export function logOptionsOf(query: URLSearchParams): LogOptions {
  const count = (name: string): number | undefined => {
    const value = Number(query.get(name));
    return query.get(name) === null || !Number.isInteger(value) || value < 0 ? undefined : value;
  };
  return {
    previous: query.get('previous') === 'true',
    timestamps: query.get('timestamps') === 'true',
    tailLines: count('tailLines'),
    limitBytes: count('limitBytes'),
  };
}

/** The log of a played container: the pod's annotation, or a line that says what it is. Undefined: it has none yet. */
export function logOf(pod: Pod, container: string, options: LogOptions): string | undefined {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const status = statuses.find(({ name }) => name === container);
  const state = options.previous ? status?.lastState : (status?.state ?? status?.lastState);
  const startedAt =
    state?.running?.startedAt ?? state?.terminated?.startedAt ?? status?.lastState?.terminated?.startedAt;
  if (startedAt === undefined) return undefined;
  const text = pod.metadata?.annotations?.[logsAnnotation] ?? `container ${container} is played: nothing runs in it\n`;
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const lines = options.tailLines === undefined ? all : all.slice(Math.max(0, all.length - options.tailLines));
  const log = lines.map((line) => `${options.timestamps ? `${startedAt} ` : ''}${line}\n`).join('');
  return options.limitBytes === undefined ? log : Buffer.from(log).subarray(0, options.limitBytes).toString('utf8');
}
