import { allControllers, type ControllerFlags, type ResourceType } from '@kubechain/controllers';
import type { TestEnvironment } from 'kubechain';
import { attachingScenarios } from './attaching-scenarios.ts';
import { autoscalingScenarios } from './autoscaling-scenarios.ts';
import { cleaningScenarios } from './cleaning-scenarios.ts';
import { isAbout, isNotOfNodes, isPassing, isTelling } from './difference.ts';
import { lifecycleScenarios } from './lifecycle-scenarios.ts';
import { attachingKinds, autoscalingKinds, lifecycleKinds, workloadKinds } from './observe.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import { serveMetrics } from './serve-metrics.ts';

/** Scenarios that are played together, by the same controllers. */
export interface Play {
  readonly scenarios: readonly Scenario[];
  /** Whom a kube-controller-manager is compared with, by their names. */
  readonly compared: readonly string[];
  /** Who works besides, on both sides; the scheduler and what plays nodes and volumes always does. */
  readonly besides: readonly string[];
  readonly kinds: readonly ResourceType<unknown>[];
  /** Lines that are kept and compared with later. */
  readonly isCompared: (line: string) => boolean;
  /** In this folder: what kube-controller-manager 1.36.2 did, by `main.ts --record`. */
  readonly recorded: string;
  /** Flags that are not at their defaults, and the same for a kube-controller-manager. */
  readonly flags?: {
    readonly [K in keyof ControllerFlags]?: Partial<ControllerFlags[K]>;
  };
  readonly referenceFlags?: readonly string[];
  /** What must be there before controllers are. */
  readonly prepare?: (env: TestEnvironment) => Promise<void>;
}

const namesOf = (...names: readonly string[]): readonly string[] =>
  allControllers()
    .filter(({ simulates }) => simulates !== true)
    .filter(({ group, name, onByDefault }) => names.includes(name) || (onByDefault && names.includes(group)))
    .map(({ name }) => name);

/** By the name that `--play` takes. */
export const plays = {
  workloads: {
    scenarios,
    compared: namesOf(
      'workloads',
      'resourcequota-controller',
      'node-lifecycle-controller',
      'taint-eviction-controller',
    ),
    besides: [
      'persistentvolume-binder-controller',
      'persistentvolumeclaim-protection-controller',
      'serviceaccount',
      'garbagecollector',
    ],
    kinds: workloadKinds,
    isCompared: isTelling,
    recorded: 'recorded.json',
  },
  lifecycle: {
    scenarios: lifecycleScenarios,
    compared: namesOf('lifecycle', 'storage', 'disruption-controller'),
    besides: [],
    kinds: lifecycleKinds,
    isCompared: isNotOfNodes,
    recorded: 'recorded-lifecycle.json',
  },
  autoscaling: {
    scenarios: autoscalingScenarios,
    compared: namesOf('horizontal-pod-autoscaler-controller'),
    besides: namesOf(
      'deployment-controller',
      'replicaset-controller',
      'statefulset-controller',
      'serviceaccount-controller',
      'garbage-collector-controller',
    ),
    kinds: autoscalingKinds,
    isCompared: (line) => isTelling(line) && isAbout(line, 'HorizontalPodAutoscaler') && !isPassing(line),
    recorded: 'recorded-autoscaling.json',
    flags: { autoscaling: { 'horizontal-pod-autoscaler-sync-period': 1_000 } },
    referenceFlags: ['--horizontal-pod-autoscaler-sync-period=1s'],
    prepare: serveMetrics,
  },
  cleaning: {
    scenarios: cleaningScenarios,
    compared: namesOf('pod-garbage-collector-controller', 'bootstrap-signer-controller', 'token-cleaner-controller'),
    besides: namesOf('serviceaccount-controller'),
    kinds: lifecycleKinds,
    isCompared: isNotOfNodes,
    recorded: 'recorded-cleaning.json',
    flags: { lifecycle: { 'terminated-pod-gc-threshold': 2 } },
    referenceFlags: ['--terminated-pod-gc-threshold=2'],
  },
  attaching: {
    scenarios: attachingScenarios,
    compared: namesOf(
      'persistentvolume-attach-detach-controller',
      'device-taint-eviction-controller',
      'selinux-warning-controller',
    ),
    besides: namesOf('serviceaccount-controller', 'persistentvolume-binder-controller'),
    kinds: attachingKinds,
    isCompared: isNotOfNodes,
    recorded: 'recorded-attaching.json',
  },
} as const satisfies Readonly<Record<string, Play>>;
