import { controllerOf, formatTime } from '@kubechain/apimachinery';
import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { isPodEnded } from '../pods/pod-state.ts';
import { scriptOf, type Script } from './simple-script.ts';
import { isMissingImage } from './missing-image.ts';
import { refusalOf, refusedStatus } from './node-refusal.ts';
import { crashBackoffMs, crashed, crashOf, isBackingOff, restartsFailed, type Crash } from './pod-crashes.ts';

/** What a pod of a played node does next, and when. */
export type PodStep =
  | { readonly kind: 'status'; readonly afterMs: number; readonly status: (at: Moment) => PodStatus }
  | { readonly kind: 'delete'; readonly afterMs: number };

/** Where a pod is played. */
export interface PodPlace {
  readonly hostIP: string;
  readonly nodeReady: boolean;
  /** The pod's address: the one that it has, or a new one. */
  readonly podIP: (pod: Pod) => string;
  /** All that are bound to the node, the pod itself among them. */
  readonly podsOnNode: () => readonly Pod[];
}

/** When and where a step is done. */
export interface Moment {
  readonly nowMs: number;
  readonly podIP: string;
  readonly hostIP: string;
}

/** How the pod is to fail or behave, from annotations on it (or its template). */
export const podAnnotations = {
  /** `crash-loop`, `image-pull-error`, `oom`, `exit` or `evicted`. */
  failure: 'simulation.kubechain.dev/failure',
  /** Seconds from the binding to Ready; default 0.1, and what readiness probes wait for at first. */
  startSeconds: 'simulation.kubechain.dev/start-seconds',
  /** Seconds of running after which the containers end; default what commands say, else 1 for pods of Jobs, or never. */
  runSeconds: 'simulation.kubechain.dev/run-seconds',
} as const;

const defaultStartMs = 100;
const defaultRunMs = 1_000;

/**
 * The next step of a pod: deleted pods go after the sleep of their hooks, bound ones start and become Ready, end as
 * their commands say where that is plain, those of Jobs with success; failures as annotated, with kubelet's back-off
 * where it starts containers again. Who finds a port of the node taken by another of the `podsOnNode` fails before;
 * who is active for longer than it may be fails then, where `nowMs` says from when on the step is.
 * What others have said of its readiness, as they do while nothing is heard of its node, is put right once the node is
 * ready. Undefined: it stays as it is.
 */
export function nextPodStep(
  pod: Pod,
  { nowMs, ...place }: Partial<Pick<PodPlace, 'nodeReady' | 'podsOnNode'>> & { readonly nowMs?: number } = {},
): PodStep | undefined {
  const step = nextStepOfLife(pod, place);
  const leftMs = nowMs === undefined ? undefined : activeMsLeft(pod, nowMs);
  if (leftMs === undefined || step?.kind === 'delete' || (step !== undefined && step.afterMs < leftMs)) return step;
  return { kind: 'status', afterMs: Math.max(0, leftMs), status: (at) => overdue(pod, at) };
}

/** How long a pod may go on, by its `activeDeadlineSeconds`; undefined where that is not said, or no matter. */
function activeMsLeft(pod: Pod, nowMs: number): number | undefined {
  const { spec, status } = pod;
  if (spec?.activeDeadlineSeconds === undefined || status?.startTime === undefined || isPodEnded(pod)) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1_000 - nowMs;
}

function nextStepOfLife(
  pod: Pod,
  { nodeReady = true, podsOnNode = () => [] }: Partial<Pick<PodPlace, 'nodeReady' | 'podsOnNode'>>,
): PodStep | undefined {
  const { metadata, spec, status } = pod;
  if (metadata?.deletionTimestamp !== undefined) return { kind: 'delete', afterMs: preStopMs(pod) };
  if ((spec?.nodeName ?? '') === '' || isPodEnded(pod)) return undefined;
  const failure = failureOf(pod);
  const script = failure === undefined ? scriptOf(pod) : undefined;
  const crash = crashOf(failure) ?? crashOfScript(script);
  const isUnpulled = status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === 'ImagePullBackOff');
  const isNew = (status?.containerStatuses ?? []).length === 0;
  const refusal = isNew ? refusalOf(pod, podsOnNode) : undefined;
  if (refusal !== undefined)
    return { kind: 'status', afterMs: defaultStartMs, status: ({ nowMs }) => refusedStatus(pod, refusal, nowMs) };
  if (isNew || (isUnpulled === true && failure !== 'image-pull-error'))
    return {
      kind: 'status',
      afterMs: secondsOf(pod, podAnnotations.startSeconds) ?? defaultStartMs,
      status: (at) => (failure === 'image-pull-error' ? unpulled(pod, at) : running(pod, at)),
    };
  if (status?.phase !== 'Running') return undefined;
  if (nodeReady && isWronglyUnready(pod))
    return {
      kind: 'status',
      afterMs: 0,
      status: (at) => ({ ...status, conditions: conditionsOf(pod, at, { ready: true, reason: '' }) }),
    };
  const runMs = secondsOf(pod, podAnnotations.runSeconds) ?? script?.runMs;
  if (failure === 'evicted')
    return { kind: 'status', afterMs: runMs ?? defaultRunMs, status: (at) => evicted(pod, at) };
  if (crash !== undefined && restartsFailed(pod)) return crashStep(pod, crash, runMs ?? defaultRunMs);
  const endsMs = runMs ?? (controllerOf(metadata)?.kind === 'Job' ? defaultRunMs : undefined);
  const probedMs = crash === undefined && isUnprobed(pod) ? readinessDelayMs(pod) : 0;
  if (probedMs > 0 && (endsMs === undefined || endsMs > probedMs))
    return { kind: 'status', afterMs: probedMs, status: (at) => probed(pod, at) };
  if (endsMs === Number.POSITIVE_INFINITY) return undefined;
  if ((endsMs === undefined && crash === undefined) || (spec?.restartPolicy === 'Always' && crash === undefined))
    return undefined;
  return { kind: 'status', afterMs: endsMs ?? defaultRunMs, status: (at) => ended(pod, at, crash) };
}

/** How a pod fails: as its annotation says, or because its images cannot be had. */
function failureOf({ metadata, spec }: Pod): string | undefined {
  const asked = metadata?.annotations?.[podAnnotations.failure];
  if (asked !== undefined) return asked;
  return (spec?.containers ?? []).some(({ image = '' }) => isMissingImage(image)) ? 'image-pull-error' : undefined;
}

function crashOfScript(script: Script | undefined): Crash | undefined {
  const exitCode = script?.exitCode ?? 0;
  return exitCode === 0 ? undefined : { exitCode, reason: 'Error', runs: true };
}

/** Runs, ends, waits, runs again, and so on. */
function crashStep(pod: Pod, crash: Crash, runMs: number): PodStep {
  const restarts = Math.max(...(pod.status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
  if (!isBackingOff(pod))
    return { kind: 'status', afterMs: crash.runs ? runMs : 0, status: (at) => afterCrash(pod, at, crash) };
  return {
    kind: 'status',
    afterMs: crashBackoffMs(restarts),
    status: (at) => (crash.runs ? running(pod, at) : afterCrash(pod, at, crash)),
  };
}

/** How long containers that run sleep before they are ended, within their grace (`lifecycle.preStop.sleep`). */
function preStopMs({ metadata, spec, status }: Pod): number {
  const isRunning = (name: string): boolean =>
    status?.containerStatuses?.some((each) => each.name === name && each.state?.running !== undefined) === true;
  const sleeps = (spec?.containers ?? [])
    .filter(({ name }) => isRunning(name))
    .map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0);
  return 1_000 * Math.min(Math.max(0, ...sleeps), metadata?.deletionGracePeriodSeconds ?? 0);
}

function secondsOf({ metadata }: Pod, name: string): number | undefined {
  const text = metadata?.annotations?.[name];
  const seconds = Number(text);
  return text === undefined || text === '' || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds * 1_000;
}

function running(pod: Pod, at: Moment): PodStatus {
  const startedAt = formatTime(at.nowMs);
  const before = new Map((pod.status?.containerStatuses ?? []).map((status) => [status.name, status]));
  // What ends at once is never ready.
  const started = crashOf(pod.metadata?.annotations?.[podAnnotations.failure])?.runs !== false;
  const ready = started && readinessDelayMs(pod) === 0;
  return {
    ...begun(pod, at),
    phase: 'Running',
    conditions: conditionsOf(pod, at, { ready, sandbox: started, reason: 'ContainersNotReady' }),
    containerStatuses: (pod.spec?.containers ?? []).map((container) => {
      const { lastState, restartCount = 0 } = before.get(container.name) ?? {};
      return {
        ...statusOf(container, pod),
        ready,
        started,
        restartCount,
        state: { running: { startedAt } },
        ...(lastState === undefined ? {} : { lastState }),
      };
    }),
  };
}

/** How long readiness probes wait before the first time; 0 where the pod's annotation says when it is ready. */
function readinessDelayMs(pod: Pod): number {
  if (secondsOf(pod, podAnnotations.startSeconds) !== undefined) return 0;
  const delays = (pod.spec?.containers ?? []).map(({ readinessProbe }) => readinessProbe?.initialDelaySeconds ?? 0);
  return 1_000 * Math.max(0, ...delays);
}

/** Its containers run and wait for their first probe. */
function isUnprobed({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).every(
    ({ ready, started, state }) => ready !== true && started === true && state?.running !== undefined,
  );
}

function probed(pod: Pod, at: Moment): PodStatus {
  return {
    ...pod.status,
    conditions: conditionsOf(pod, at, { ready: true, reason: '' }),
    containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({ ...status, ready: true })),
  };
}

function afterCrash(pod: Pod, at: Moment, crash: Crash): PodStatus {
  return {
    ...pod.status,
    conditions: conditionsOf(pod, at, { ready: false, reason: 'ContainersNotReady' }),
    containerStatuses: (pod.status?.containerStatuses ?? []).map((status) =>
      crashed(status, { crash, nowMs: at.nowMs, pod }),
    ),
  };
}

/** As kubelet's eviction manager leaves a pod behind. */
function evicted(pod: Pod, at: Moment): PodStatus {
  const message = 'The node was low on resource: memory. ';
  const status = ended(pod, at, { exitCode: 137, reason: 'Error', runs: true });
  return {
    ...status,
    reason: 'Evicted',
    message,
    conditions: [
      ...(status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget'),
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'TerminationByKubelet',
        message,
        observedGeneration: pod.metadata?.generation ?? 1,
        lastTransitionTime: formatTime(at.nowMs),
      },
    ],
  };
}

/** As kubelet leaves a pod behind that was active for longer than it may be (active_deadline.go, 1.36). */
function overdue(pod: Pod, at: Moment): PodStatus {
  return {
    ...ended(pod, at, { exitCode: 137, reason: 'Error', runs: true }),
    reason: overdueReason,
    message: 'Pod was active on the node longer than the specified deadline',
  };
}

/** Why such a pod has failed. */
export const overdueReason = 'DeadlineExceeded';

function unpulled(pod: Pod, at: Moment): PodStatus {
  return {
    ...begun(pod, at),
    phase: 'Pending',
    conditions: conditionsOf(pod, at, { ready: false, reason: 'ContainersNotReady' }),
    containerStatuses: (pod.spec?.containers ?? []).map((container) => ({
      ...statusOf(container, pod),
      imageID: '',
      ready: false,
      started: false,
      restartCount: 0,
      state: {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image ${JSON.stringify(container.image ?? '')}`,
        },
      },
    })),
  };
}

function ended(pod: Pod, at: Moment, crash: Crash | undefined): PodStatus {
  const { exitCode, reason } = crash ?? { exitCode: 0, reason: 'Completed' };
  const { status = {} } = pod;
  return {
    ...status,
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: conditionsOf(pod, at, { ready: false, reason: exitCode === 0 ? 'PodCompleted' : 'PodFailed' }),
    containerStatuses: (status.containerStatuses ?? []).map(({ state, ...container }) => ({
      ...container,
      ready: false,
      started: false,
      state: {
        terminated: {
          ...termination(at, exitCode, reason),
          ...(state?.running?.startedAt === undefined ? {} : { startedAt: state.running.startedAt }),
        },
      },
    })),
  };
}

function begun(pod: Pod, { hostIP, nowMs, podIP }: Moment): PodStatus {
  const address = pod.spec?.hostNetwork === true ? hostIP : podIP;
  const now = formatTime(nowMs);
  const initContainers = pod.spec?.initContainers ?? [];
  return {
    ...pod.status,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP: address,
    podIPs: [{ ip: address }],
    startTime: pod.status?.startTime ?? now,
    ...(initContainers.length === 0
      ? {}
      : {
          initContainerStatuses: initContainers.map((container) => {
            const sidecar = container.restartPolicy === 'Always';
            return {
              ...statusOf(container, pod),
              ready: true,
              started: sidecar,
              restartCount: 0,
              state: sidecar
                ? { running: { startedAt: now } }
                : { terminated: { ...termination({ nowMs }, 0, 'Completed'), startedAt: now } },
            };
          }),
        }),
  };
}

/** It could be ready, and is said not to be. */
function isWronglyUnready(pod: Pod): boolean {
  const { status } = pod;
  const containers = status?.containerStatuses ?? [];
  return (
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'True') === true &&
    containers.every(({ ready }) => ready === true) &&
    passesGates(pod)
  );
}

function passesGates({ spec, status }: Pod): boolean {
  return (spec?.readinessGates ?? []).every(
    ({ conditionType }) => status?.conditions?.find(({ type }) => type === conditionType)?.status === 'True',
  );
}

/** As kubelet orders them; PodScheduled is the scheduler's. */
function conditionsOf(
  pod: Pod,
  { nowMs }: Pick<Moment, 'nowMs'>,
  { ready, reason, sandbox = ready }: { readonly ready: boolean; readonly reason: string; readonly sandbox?: boolean },
): PodCondition[] {
  const { metadata, status } = pod;
  const now = formatTime(nowMs);
  const gates = passesGates(pod);
  const of = (type: string, is: boolean, why?: string): PodCondition => {
    const before = status?.conditions?.find((condition) => condition.type === type);
    const text = is ? 'True' : 'False';
    return {
      type,
      status: text,
      observedGeneration: metadata?.generation ?? 1,
      lastTransitionTime: before?.status === text ? (before.lastTransitionTime ?? now) : now,
      ...(is || why === undefined ? {} : { reason: why }),
    } as PodCondition;
  };
  const own = [
    of('PodReadyToStartContainers', sandbox),
    of('Initialized', true),
    of('Ready', ready && gates, ready ? 'ReadinessGatesNotReady' : reason),
    of('ContainersReady', ready, reason),
  ];
  return [
    ...own,
    ...(status?.conditions ?? []).filter(({ type }) => !own.some((condition) => condition.type === type)),
  ];
}

function statusOf(
  { image = '', name }: Container,
  { metadata }: Pod,
): Pick<ContainerStatus, 'name' | 'image' | 'imageID' | 'containerID'> {
  return { name, image, imageID: `simulated://${image}`, containerID: `simulated://${metadata?.uid ?? ''}/${name}` };
}

function termination(
  { nowMs }: Pick<Moment, 'nowMs'>,
  exitCode: number,
  reason: string,
): { readonly exitCode: number; readonly reason: string; readonly finishedAt: string } {
  return { exitCode, reason, finishedAt: formatTime(nowMs) };
}
