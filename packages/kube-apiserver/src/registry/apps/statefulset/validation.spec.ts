import { expect } from 'chai';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import { validateStatefulSet, validateStatefulSetUpdate } from './validation.ts';
import { capabilitiesOf } from '../../capabilities.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

const set = (claims: object[]): StatefulSet =>
  ({
    metadata: { name: 's' },
    spec: {
      serviceName: 's',
      podManagementPolicy: 'OrderedReady',
      selector: { matchLabels: { a: 'b' } },
      updateStrategy: { type: 'RollingUpdate' },
      replicas: 1,
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          terminationGracePeriodSeconds: 1,
        },
      },
      volumeClaimTemplates: claims,
    },
  }) as unknown as StatefulSet;
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

describe('templates of claims in stateful sets', () => {
  it('are checked as claims are, and as volumes of the pods', () => {
    expect(validateStatefulSet(set([claim]), unprivileged).map(String)).to.deep.equal([]);
    expect(validateStatefulSet(set([{}, {}]), unprivileged).map(String)).to.deep.equal([
      'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
      'spec.volumeClaimTemplates[1].spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumeClaimTemplates[1].spec.resources[storage]: Required value',
      'spec.template.spec.volumes[0].persistentVolumeClaim.claimName: Required value',
      'spec.template.spec.volumes[0].name: Required value',
    ]);
  });

  it('are told of behind what is said of claims, and before the numbers and the service', () => {
    const wrong = set([{}]);
    Object.assign(wrong.spec!, {
      serviceName: 'NO',
      replicas: -1,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'x', whenScaled: 'Retain' },
    });
    expect(validateStatefulSet(wrong, unprivileged).map(({ field }) => field)).to.deep.equal([
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted',
      'spec.volumeClaimTemplates[0].spec.accessModes',
      'spec.volumeClaimTemplates[0].spec.resources[storage]',
      'spec.replicas',
      'spec.serviceName',
      'spec.template.spec.volumes[0].persistentVolumeClaim.claimName',
      'spec.template.spec.volumes[0].name',
    ]);
  });

  it('are not looked at again in updates, which cannot change them', () => {
    const stored = set([{ metadata: { name: 'data' } }]);
    expect(validateStatefulSetUpdate(structuredClone(stored), stored, unprivileged).map(String)).to.deep.equal([]);
  });
});
