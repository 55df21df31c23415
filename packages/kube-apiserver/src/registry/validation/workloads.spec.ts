import type { FieldError } from '@kubechain/apimachinery';
import type { DaemonSet, ReplicaSet, StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Ingress, NetworkPolicy } from '@kubechain/apimachinery/types/networking/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { expect } from 'chai';
import { defaultDaemonSet } from '../apps/daemonset/defaults.ts';
import { validateDaemonSet } from '../apps/daemonset/validation.ts';
import { defaultReplicaSet } from '../apps/replicaset/defaults.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from '../apps/replicaset/validation.ts';
import { defaultStatefulSet } from '../apps/statefulset/defaults.ts';
import { validateStatefulSet, validateStatefulSetUpdate } from '../apps/statefulset/validation.ts';
import { validateIngress } from '../networking/ingress/validation.ts';
import { validateNetworkPolicy } from '../networking/networkpolicy/validation.ts';
import { validatePodDisruptionBudget } from '../policy/poddisruptionbudget/validation.ts';
import { capabilitiesOf } from '../capabilities.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

/** What is written, as strategies see it; the rows leave out what a rule is about. */
function defaulted<T>(byDefault: (object: T) => void, spec: object): T {
  const object = {
    metadata: { name: 'x' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...structuredClone(spec),
    },
  } as T;
  byDefault(object);
  return object;
}

const replicaSet = (spec: object): ReplicaSet => defaulted(defaultReplicaSet, spec);
const statefulSet = (spec: object): StatefulSet => defaulted(defaultStatefulSet, spec);
const daemonSet = (spec: object): DaemonSet => defaulted(defaultDaemonSet, spec);

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  ['a replica set', () => validateReplicaSet(replicaSet({}), unprivileged)],
  [
    'fewer than no replicas',
    () => validateReplicaSet(replicaSet({ replicas: -1 }), unprivileged),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'another selector',
    () =>
      validateReplicaSetUpdate(
        replicaSet({ selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] } }),
        replicaSet({}),
        unprivileged,
      ),
    'spec.selector: Invalid value: {"matchLabels":{"a":"b"},"matchExpressions":[{"key":"a",' +
      '"operator":"Exists"}]}: field is immutable',
  ],
  ['a stateful set', () => validateStatefulSet(statefulSet({}), unprivileged)],
  [
    'managed in no known way',
    () => validateStatefulSet(statefulSet({ podManagementPolicy: 'X' }), unprivileged),
    "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
  ],
  [
    'a stateful set of another service',
    () => validateStatefulSetUpdate(statefulSet({ serviceName: 'a' }), statefulSet({ serviceName: 'b' }), unprivileged),
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', " +
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' " +
      'are forbidden',
  ],
  [
    'more replicas of a stateful set',
    () => validateStatefulSetUpdate(statefulSet({ replicas: 3 }), statefulSet({}), unprivileged),
  ],
  ['a daemon set', () => validateDaemonSet(daemonSet({}), unprivileged)],
  [
    'a daemon set that ends',
    () =>
      validateDaemonSet(
        daemonSet({
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
          },
        }),
        unprivileged,
      ),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
  [
    'both bounds of a budget',
    () => validatePodDisruptionBudget({ spec: { minAvailable: 1, maxUnavailable: 1 } } as PodDisruptionBudget),
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,' +
      '"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    'an ingress without rules',
    () => validateIngress({ spec: {} } as Ingress),
    'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    'a network policy of no known type',
    () => validateNetworkPolicy({ spec: { podSelector: {}, policyTypes: ['X' as string] } } as NetworkPolicy),
    'spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"',
  ],
];

describe('Rules of workloads and what goes with them', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });
});
