import { FieldPath } from '@kubechain/apimachinery';
import type { PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { validateDeploymentStatus, validateReplicaStatus } from '../../validation/replica-status.ts';
import { podWarnings } from './warnings.ts';

const container = (fields: object): PodSpec => ({ containers: [{ name: 'c', image: 'i', ...fields }] });
const term = { topologyKey: 'k' };

const rows: readonly (readonly [name: string, spec: PodSpec, warnings: readonly string[]])[] = [
  ['nothing', container({}), []],
  [
    'a variable in terms of itself',
    container({
      env: [
        { name: 'A', value: 'x' },
        { name: 'A', value: '$(A)y' },
      ],
    }),
    [],
  ],
  [
    'a variable defined again',
    container({
      env: [
        { name: 'A', value: 'x' },
        { name: 'A', value: 'y' },
      ],
    }),
    ['template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'a port defined again',
    container({
      ports: [
        { containerPort: 1, protocol: 'TCP' },
        { containerPort: 1, protocol: 'TCP' },
      ],
    }),
    ['template.spec.containers[0].ports[1]: duplicate port definition with template.spec.containers[0].ports[0]'],
  ],
  [
    'the same port on the host',
    container({ ports: [{ containerPort: 1, hostPort: 1 }, { containerPort: 1 }] }),
    ['template.spec.containers[0].ports[1]: overlapping port definition with template.spec.containers[0].ports[0]'],
  ],
  [
    'the same port for another protocol',
    container({
      ports: [
        { containerPort: 1, protocol: 'TCP' },
        { containerPort: 1, protocol: 'UDP' },
      ],
    }),
    [],
  ],
  [
    'spread of nothing',
    { ...container({}), topologySpreadConstraints: [{ ...term, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] },
    ['template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'affinity to nothing',
    {
      ...container({}),
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [term],
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
      },
    },
    [
      'template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]' +
        '.labelSelector: a null labelSelector results in matching no pod',
      'template.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]' +
        '.podAffinityTerm.labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
];

describe('podWarnings', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/c';
  const annotated: readonly (readonly [name: string, spec: PodSpec, path: FieldPath, warnings: readonly string[]])[] = [
    [
      'an AppArmor annotation of a template',
      container({}),
      FieldPath.of('template'),
      [`template.metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`],
    ],
    [
      'an AppArmor annotation beside a field',
      container({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
      FieldPath.of('template'),
      [],
    ],
    [
      'an AppArmor annotation that says what the pod says',
      { ...container({}), securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      FieldPath.of('template'),
      [],
    ],
    ['an AppArmor annotation of a pod', container({}), FieldPath.root, []],
  ];
  for (const [name, spec, path, warnings] of annotated)
    it(name, () => {
      expect(podWarnings(spec, path, { annotations: { [key]: 'unconfined' } })).to.deep.equal(warnings);
    });
  for (const [name, spec, warnings] of rows)
    it(name, () => {
      expect(podWarnings(spec, FieldPath.of('template'))).to.deep.equal(warnings);
    });

  it('are told of as many equal ports as an answer has room for', () => {
    const ports = Array.from({ length: 50_000 }, () => ({ containerPort: 1 }));
    expect(podWarnings(container({ ports }), FieldPath.root)).to.have.length(5_000);
  });

  it('are found without a look at each pair of ports', () => {
    const ports = Array.from({ length: 50_000 }, (_, i) => ({ containerPort: 1, hostPort: 1, hostIP: `ip-${i}` }));
    expect(podWarnings(container({ ports }), FieldPath.root)).to.deep.equal([]);
  });
});

describe('rules of replica counts', () => {
  it('parts are at most the whole', () => {
    expect(validateReplicaStatus({ status: { replicas: -1, availableReplicas: 1 } }).map(String)).to.deep.equal([
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.fullyLabeledReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 1: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
    ]);
  });
  it('collisions are never forgotten', () => {
    expect(validateDeploymentStatus({ status: {} }, { status: { collisionCount: 1 } }).map(String)).to.deep.equal([
      'status.collisionCount: Invalid value: 0: cannot be decremented',
    ]);
  });
});
