import type { FieldError } from '@kubechain/apimachinery';
import type { Pod, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { validateDeployment, validateDeploymentUpdate } from '../../../apps/deployment/validation.ts';
import { defaultDeployment } from '../../../apps/deployment/defaults.ts';
import { defaultPod } from '../defaults.ts';
import { validateEphemeralContainersUpdate } from './pod-ephemeral.ts';
import { validatePodResize } from './pod-resize.ts';
import { validatePodStatus } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod.ts';
import { capabilitiesOf } from '../../../capabilities.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

/**
 * A pod with defaults, as strategies see it; fields of other types stand for what decoding would have refused or left
 * out.
 */
const pod = (spec: object): Pod => {
  const object = {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...structuredClone(spec) } as PodSpec,
  };
  defaultPod(object);
  return object;
};
const container = (fields: object): Pod => pod({ containers: [{ name: 'c', image: 'i', ...fields }] });

interface Row {
  readonly name: string;
  readonly errors: () => readonly FieldError[];
  readonly expected: readonly string[];
}

const created = (name: string, object: Pod, ...expected: string[]): Row => ({
  name,
  errors: () => validatePod(object, unprivileged),
  expected,
});

const deployment = (spec: object): Parameters<typeof validateDeployment>[0] => {
  const object = {
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...structuredClone(spec),
    },
  };
  defaultDeployment(object);
  return object;
};

const rows: readonly Row[] = [
  created('a plain pod', pod({})),
  created('no containers', pod({ containers: [] }), 'spec.containers: Required value'),
  created(
    'neither name nor image',
    pod({ containers: [{}] }),
    'spec.containers[0].name: Required value',
    'spec.containers[0].image: Required value',
  ),
  created(
    'two containers of one name',
    pod({
      containers: [
        { name: 'c', image: 'i' },
        { name: 'c', image: 'i' },
      ],
    }),
    'spec.containers[1].name: Duplicate value: "c"',
  ),
  created(
    'an init container of that name',
    pod({ initContainers: [{ name: 'c', image: 'i' }] }),
    'spec.initContainers[0].name: Duplicate value: "c"',
  ),
  created(
    'a probe of an init container',
    pod({ initContainers: [{ name: 'i', image: 'i', livenessProbe: { exec: { command: ['x'] } } }] }),
    'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
  ),
  created(
    'a port without number',
    container({ ports: [{ protocol: 'TCP' }] }),
    'spec.containers[0].ports[0].containerPort: Required value',
  ),
  created(
    'ports of one name and an unknown protocol',
    container({
      ports: [
        { name: 'a', containerPort: 1, protocol: 'TCP' },
        { name: 'a', containerPort: 2, protocol: 'X' },
      ],
    }),
    'spec.containers[0].ports[1].name: Duplicate value: "a"',
    'spec.containers[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
  ),
  created(
    'a mount without volume',
    container({ volumeMounts: [{ name: 'v', mountPath: '/a' }] }),
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ),
  created(
    'two sources of one volume',
    pod({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] }),
    'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ),
  created(
    'value and source of a variable',
    container({ env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
  ),
  created(
    'a field that no variable may have',
    container({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } }] }),
    'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported ' +
      'values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", ' +
      '"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
  ),
  created(
    'a probe that does nothing',
    container({ livenessProbe: {} }),
    'spec.containers[0].livenessProbe: Required value: must specify a handler type',
  ),
  created(
    'a probe that does two things',
    container({ livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } }),
    'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ),
  created(
    'requests above limits',
    container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ),
  created(
    'a restart policy of no kind',
    pod({ restartPolicy: 'Sometimes' }),
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ),
  created(
    'seconds without effect',
    pod({ tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 1 }] }),
    'spec.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
  ),
  {
    name: 'a container more',
    errors: () =>
      validatePodUpdate(
        pod({
          containers: [
            { name: 'c', image: 'i' },
            { name: 'd', image: 'i' },
          ],
        }),
        pod({}),
        unprivileged,
      ),
    expected: ['spec.containers: Forbidden: pod updates may not add or remove containers'],
  },
  {
    name: 'another image and a toleration more',
    errors: () =>
      validatePodUpdate(
        pod({ containers: [{ name: 'c', image: 'j' }], tolerations: [{ key: 'k', operator: 'Exists' }] }),
        pod({}),
        unprivileged,
      ),
    expected: [],
  },
  {
    name: 'another node',
    errors: () => validatePodUpdate(pod({ nodeName: 'n' }), pod({}), unprivileged),
    expected: [
      'spec: Forbidden: pod updates may not change fields other than ' +
        '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
        '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` ' +
        '(allow it to be set to 1 if it was previously negative)\n@@ -42,7 +42,7 @@\n  "NodeSelector": null,\n  ' +
        '"ServiceAccountName": "",\n  "AutomountServiceAccountToken": null,\n- "NodeName": "",\n+ "NodeName": ' +
        '"n",\n  "SecurityContext": {\n   "HostNetwork": false,\n   "HostPID": false,\n',
    ],
  },
  {
    name: 'a toleration less',
    errors: () => validatePodUpdate(pod({}), pod({ tolerations: [{ key: 'k', operator: 'Exists' }] }), unprivileged),
    expected: ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
  },
  {
    name: 'a later deadline',
    errors: () => validatePodUpdate(pod({ activeDeadlineSeconds: 6 }), pod({ activeDeadlineSeconds: 5 }), unprivileged),
    expected: ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
  },
  {
    name: 'fewer nodes behind a gate',
    errors: () =>
      validatePodUpdate(
        pod({ nodeSelector: { a: 'b' }, schedulingGates: [{ name: 'g' }] }),
        pod({ schedulingGates: [{ name: 'g' }] }),
        unprivileged,
      ),
    expected: [],
  },
  {
    name: 'a gate more',
    errors: () => validatePodUpdate(pod({ schedulingGates: [{ name: 'g' }] }), pod({}), unprivileged),
    expected: ["spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'g'"],
  },
  {
    name: 'an ephemeral container that has as little a name as another one',
    errors: () =>
      validatePod(pod({ containers: [{ image: 'i' }], ephemeralContainers: [{ image: 'i' }] }), unprivileged).filter(
        (error) => String(error).startsWith('spec.ephemeralContainers[0].name: Duplicate'),
      ),
    expected: ['spec.ephemeralContainers[0].name: Duplicate value: ""'],
  },
  {
    name: 'an ephemeral container less',
    errors: () =>
      validateEphemeralContainersUpdate(
        pod({}),
        pod({ ephemeralContainers: [{ name: 'e', image: 'i' }] }),
        unprivileged,
      ),
    expected: ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed\n'],
  },
  {
    name: 'more cpu',
    errors: () =>
      validatePodResize(
        pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '2' } } }] }),
        pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] }),
        unprivileged,
      ),
    expected: [],
  },
  {
    name: 'no cpu',
    errors: () =>
      validatePodResize(
        pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1' } } }] }),
        pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1' } } }] }),
        unprivileged,
      ),
    expected: ['spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'],
  },
  {
    name: 'limits where there were none',
    errors: () =>
      validatePodResize(
        pod({ containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] }),
        pod({}),
        unprivileged,
      ),
    expected: ['spec: Invalid value: "": Pod QOS Class may not change as a result of resizing'],
  },
  {
    name: 'a container that runs again',
    errors: () =>
      validatePodStatus(
        {
          status: {
            containerStatuses: [
              { name: 'c', state: { running: {} }, ready: true, restartCount: 0, image: '', imageID: '' },
            ],
          },
        },
        {
          ...pod({ restartPolicy: 'Never' }),
          status: {
            containerStatuses: [
              {
                name: 'c',
                state: { terminated: { exitCode: 1 } },
                ready: false,
                restartCount: 0,
                image: '',
                imageID: '',
              },
            ],
          },
        },
      ),
    expected: ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
  },
  {
    name: 'another quality of service',
    errors: () => validatePodStatus({ status: { qosClass: 'Burstable' } }, { status: { qosClass: 'BestEffort' } }),
    expected: ['status.qosClass: Invalid value: "Burstable": field is immutable'],
  },
  { name: 'a deployment', errors: () => validateDeployment(deployment({}), unprivileged), expected: [] },
  {
    name: 'an empty selector',
    errors: () => validateDeployment(deployment({ selector: {} }), unprivileged),
    expected: ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  },
  {
    name: 'a selector for other labels',
    errors: () => validateDeployment(deployment({ selector: { matchLabels: { a: 'c' } } }), unprivileged),
    expected: ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  },
  {
    name: 'pods that end',
    errors: () =>
      validateDeployment(
        deployment({
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
          },
        }),
        unprivileged,
      ),
    expected: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  },
  {
    name: 'a rolling update that recreates',
    errors: () => validateDeployment(deployment({ strategy: { type: 'Recreate', rollingUpdate: {} } }), unprivileged),
    expected: ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  },
  {
    name: 'an update that goes nowhere',
    errors: () =>
      validateDeployment(
        deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } }),
        unprivileged,
      ),
    expected: ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
  },
  {
    name: 'a deadline before readiness',
    errors: () => validateDeployment(deployment({ minReadySeconds: 600 }), unprivileged),
    expected: ['spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
  },
  {
    name: 'another selector',
    errors: () =>
      validateDeploymentUpdate(deployment({}), deployment({ selector: { matchLabels: { a: 'c' } } }), unprivileged),
    expected: ['spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable'],
  },
];

describe('rules of pods and deployments', () => {
  for (const { errors, expected, name } of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });
});
