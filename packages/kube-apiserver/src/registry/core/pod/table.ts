import { ageSince } from '@kubechain/apiserver/resources';
import type { PrintedRow, TableCell, TableRowCondition } from '@kubechain/apiserver/resources';
import type { ContainerStatus, Pod, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { none } from '../../table/cells.ts';
import { ageOf, nameOf } from '../../table/printer.ts';

const completed: Readonly<Record<string, readonly TableRowCondition[]>> = {
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

/** Restarts of containers and the end of the last one. */
class Restarts {
  count = 0;
  last = '';

  add(status: ContainerStatus): void {
    this.count += status.restartCount ?? 0;
    const finished = status.lastState?.terminated?.finishedAt;
    if (finished && (this.last === '' || Date.parse(finished) > Date.parse(this.last))) this.last = finished;
  }

  cell(): TableCell {
    return this.count !== 0 && this.last !== ''
      ? ageSince(this.last, { before: `${this.count} (`, after: ' ago)' })
      : String(this.count);
  }
}

/** What the columns Ready, Status and Restarts are computed from. */
interface Summary {
  reason: string;
  ready: number;
  restarts: Restarts;
}

/**
 * A pod's row: the most telling reason of its containers, whatever its phase (printPod of pkg/printers/internalversion,
 * 1.36).
 */
export function printPod(pod: Pod): PrintedRow {
  const status = pod.status ?? {};
  const sidecars = new Set(
    (pod.spec?.initContainers ?? [])
      .filter((container) => container.restartPolicy === 'Always')
      .map((container) => container.name),
  );
  const summary: Summary = { reason: status.reason || (status.phase ?? ''), ready: 0, restarts: new Restarts() };
  if (
    (status.conditions ?? []).some(
      (condition) => condition.type === 'PodScheduled' && condition.reason === 'SchedulingGated',
    )
  )
    summary.reason = 'SchedulingGated';
  const sidecarRestarts = new Restarts();
  const initializing = summarizeInit(pod, sidecars, { summary, sidecarRestarts });
  if (!initializing || isInitialized(status)) {
    summary.restarts = sidecarRestarts;
    summarizeContainers(status, summary);
  }
  if (pod.metadata?.deletionTimestamp) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.reason = 'Terminating';
  }
  const total = (pod.spec?.containers?.length ?? 0) + sidecars.size;
  const cells = [
    nameOf(pod),
    `${summary.ready}/${total}`,
    summary.reason,
    summary.restarts.cell(),
    ageOf(pod),
    status.podIPs?.[0]?.ip || none,
    pod.spec?.nodeName || none,
    status.nominatedNodeName || none,
    readinessGates(pod),
  ];
  const conditions = completed[status.phase ?? ''];
  return conditions === undefined ? { cells } : { cells, conditions };
}

/** Follows init containers up to the first that has not done its part; tells whether there is one. */
function summarizeInit(
  pod: Pod,
  sidecars: ReadonlySet<string>,
  { sidecarRestarts, summary }: { readonly summary: Summary; readonly sidecarRestarts: Restarts },
): boolean {
  for (const [i, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name);
    summary.restarts.add(container);
    if (isSidecar) sidecarRestarts.add(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (terminated !== undefined) summary.reason = `Init:${terminated.reason || endOf(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${i}/${pod.spec?.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function summarizeContainers(status: PodStatus, summary: Summary): void {
  let isRunning = false;
  let failure = '';
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    summary.restarts.add(container);
    const { running, terminated, waiting } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated !== undefined) {
      summary.reason = terminated.reason || endOf(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = summary.reason;
    } else if (container.ready && running !== undefined) {
      isRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (
    isRunning &&
    (status.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True')
  )
    summary.reason = 'Running';
  else if (failure !== '') summary.reason = failure;
  else if (isRunning) summary.reason = 'NotReady';
}

function endOf({ exitCode = 0, signal = 0 }: { readonly exitCode?: number; readonly signal?: number }): string {
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function isInitialized(status: PodStatus): boolean {
  return status.conditions?.find((condition) => condition.type === 'Initialized')?.status === 'True';
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return none;
  const passed = gates.filter(
    (gate) => pod.status?.conditions?.find((condition) => condition.type === gate.conditionType)?.status === 'True',
  );
  return `${passed.length}/${gates.length}`;
}
