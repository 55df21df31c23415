import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { ClusterRole } from '@kubechain/apimachinery/types/rbac/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import type { Strategy } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { daemonSetStrategy } from '../apps/daemonset/strategy.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { persistentVolumeStrategy } from '../core/persistentvolume/strategy.ts';
import { networkPolicyStrategy } from '../networking/networkpolicy/strategy.ts';
import { podDisruptionBudgetResource } from '../policy/poddisruptionbudget/resource.ts';
import { clusterRoleRules } from '../rbac/validation.ts';
import { csiStorageCapacityResource } from '../storage/csistoragecapacity/resource.ts';
import { validated } from './validate.ts';

const capabilities = capabilitiesOf({ allowPrivileged: true });
const context = internalContext({ groupResource: { group: '', resource: 'any' } });
const named = (kind: string, more: object): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a' },
  ...more,
});
const selector = (value: string): object => ({ matchExpressions: [{ key: 'a', operator: 'NotIn', values: [value] }] });

interface Kind {
  readonly strategy: Pick<Strategy, 'validateUpdate'>;
  readonly object: (value: string) => KubeObject;
}

const kinds: Readonly<Record<string, Kind>> = {
  'network policies': {
    strategy: networkPolicyStrategy(capabilities),
    object: (value) => named('NetworkPolicy', { spec: { podSelector: selector(value), policyTypes: ['Ingress'] } }),
  },
  'disruption budgets': {
    strategy: podDisruptionBudgetResource.definition!.strategy as Strategy,
    object: (value) => named('PodDisruptionBudget', { spec: { selector: selector(value), minAvailable: 1 } }),
  },
  'capacities of storage': {
    strategy: csiStorageCapacityResource.definition!.strategy as Strategy,
    object: (value) => named('CSIStorageCapacity', { storageClassName: 's', nodeTopology: selector(value) }),
  },
  'cluster roles': {
    strategy: validated<ClusterRole>(clusterRoleRules),
    object: (value) =>
      named('ClusterRole', { rules: [], aggregationRule: { clusterRoleSelectors: [selector(value)] } }),
  },
  volumes: {
    strategy: persistentVolumeStrategy(new FakeClock(), capabilities),
    object: (value) =>
      named('PersistentVolume', {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          volumeMode: 'Filesystem',
          nfs: { server: 's', path: '/p' },
          nodeAffinity: {
            required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }] },
          },
        },
      }),
  },
  'daemon sets': {
    strategy: daemonSetStrategy(capabilities),
    object: (value) =>
      named('DaemonSet', {
        spec: {
          selector: selector(value),
          updateStrategy: { type: 'OnDelete' },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: {
              containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
              restartPolicy: 'Always',
              dnsPolicy: 'Default',
              terminationGracePeriodSeconds: 30,
            },
          },
        },
      }),
  },
};

describe('values that no label can have', () => {
  for (const [name, { object, strategy }] of Object.entries(kinds)) {
    const update = (value: string, old: string): string[] =>
      ((strategy.validateUpdate?.(object(value), object(old), context) ?? []) as readonly FieldError[]).map(String);

    it(`stay in selectors of ${name} that have some, and come into no others`, () => {
      expect(update('no label!', 'label').join()).to.include('a valid label must be');
      // Selectors that are immutable say so; that is all.
      expect(update('no label!', 'no label?').join()).to.not.include('a valid label must be');
      expect(update('no label!', 'no label!')).to.deep.equal([]);
    });
  }
});
