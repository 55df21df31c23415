import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type {
  Container,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
} from '@kubechain/apimachinery/types/core/v1';
import { FeatureGates } from '@kubechain/apiserver/options';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { noteEmptied, systemClock, FieldPath } from '@kubechain/apimachinery';
import { capabilitiesOf } from '../../../capabilities.ts';
import { dropDisabledFields } from '../../../pod-template/disabled-fields.ts';
import { dropDisabledStatusFields } from '../disabled-status-fields.ts';
import { overlappingPathWarnings } from '../overlapping-paths.ts';
import { podStrategy } from '../strategy.ts';
import { validateOverhead } from './resources.ts';
import { validatePodResize } from './pod-resize.ts';
import { validatePodTemplate } from './pod-spec.ts';
import { validatePodStatus } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' } as Container;
const spec = (rest: Partial<PodSpec> = {}): PodSpec => ({
  containers: [container],
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  ...rest,
});
const pod = (rest: Partial<PodSpec> = {}, annotations: Record<string, string> = {}, status?: PodStatus): Pod => ({
  metadata: { name: 'p', annotations },
  spec: spec(rest),
  ...(status === undefined ? {} : { status }),
});
const podKey = 'seccomp.security.alpha.kubernetes.io/pod';
const containerKey = 'container.seccomp.security.alpha.kubernetes.io/c';
const reading = (fileKeyRef: object): Partial<PodSpec> => ({
  containers: [{ ...container, env: [{ name: 'A', valueFrom: { fileKeyRef } }] } as Container],
  volumes: [
    { name: 'files', emptyDir: {} },
    { name: 'disk', hostPath: { path: '/d', type: '' } },
  ],
});
const reported = (status: PodStatus, rest: Partial<PodSpec> = {}): readonly FieldError[] =>
  validatePodStatus(pod(rest, {}, status), pod(rest));
const user = (linux: object): PodStatus => ({ containerStatuses: [{ name: 'c', user: { linux } } as ContainerStatus] });
const devices = (...allocatedResourcesStatus: NonNullable<ContainerStatus['allocatedResourcesStatus']>): PodStatus => ({
  containerStatuses: [{ name: 'c', allocatedResourcesStatus } as ContainerStatus],
});

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  [
    'a seccomp annotation of nothing known',
    () => validatePod(pod({}, { [podKey]: 'strict' }), unprivileged),
    `metadata.annotations.${podKey}: Invalid value: "strict": must be a valid seccomp profile`,
  ],
  [
    'gates without names',
    () =>
      validatePod(pod({ schedulingGates: [{} as never, { name: '' }] }), unprivileged).filter(
        ({ type }) => type === 'FieldValueDuplicate',
      ),
    'spec.schedulingGates[1]: Duplicate value: ""',
  ],
  [
    'one that leads out',
    () => validatePod(pod({}, { [containerKey]: 'localhost/../x' }), unprivileged),
    `metadata.annotations.${containerKey}: Invalid value: "../x": must not contain '..'`,
  ],
  [
    'one that the field contradicts',
    () =>
      validatePod(
        pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }, { [podKey]: 'runtime/default' }),
        unprivileged,
      ),
    'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
  ],
  [
    'another local profile in the field',
    () =>
      validatePod(
        pod(
          {
            containers: [
              { ...container, securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } } },
            ],
          },
          { [containerKey]: 'localhost/b' },
        ),
        unprivileged,
      ),
    'spec.containers[0].securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in ' +
      'annotation and field must match',
  ],
  [
    'annotations of a template',
    () =>
      validatePodTemplate(
        { metadata: { annotations: { [podKey]: 'x' } }, spec: spec() } as PodTemplateSpec,
        FieldPath.of('template'),
        unprivileged,
      ),
    `template.annotations.${podKey}: Invalid value: "x": must be a valid seccomp profile`,
  ],
  [
    'a fraction of what is no resource',
    () => validateOverhead({ 'requests.a/b': '1500m' }, FieldPath.of('overhead')),
    'overhead.limits[requests.a/b]: Invalid value: "requests.a/b": doesn\'t follow extended resource name standard',
  ],
  [
    'a fraction of an extended resource',
    () => validateOverhead({ 'a/b': '1500m' }, FieldPath.of('overhead')),
    'overhead.limits[a/b]: Invalid value: "1500m": must be an integer',
  ],
  ['a variable of a file', () => validatePod(pod(reading({ key: 'K', volumeName: 'files', path: 'a' })), unprivileged)],
  [
    'a variable of nothing',
    () => validatePod(pod(reading({})), unprivileged),
    'spec.containers[0].env[0].valueFrom.fileKeyRef.key: Required value',
    'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Required value',
    'spec.containers[0].env[0].valueFrom.fileKeyRef.path: Required value',
    'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: ""',
  ],
  [
    'a variable of a file of the node',
    () => validatePod(pod(reading({ key: 'K', volumeName: 'disk', path: 'a/../b' })), unprivileged),
    'spec.containers[0].env[0].valueFrom.fileKeyRef.path: Invalid value: "a/../b": must not contain \'..\'',
    'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "disk": referenced volume must ' +
      'be of type emptyDir',
  ],
  [
    'rules of an init container that never runs again',
    () =>
      validatePod(
        pod({ initContainers: [{ ...container, name: 'i', restartPolicyRules: [{ action: 'x' as 'Restart' }] }] }),
        unprivileged,
      ),
    'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
  ],
  [
    'a resize of a pod with claims on its node',
    () =>
      validatePodResize(
        pod(),
        pod(
          {},
          {},
          { nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'r', resources: {}, containers: ['c'] }] },
        ),
        unprivileged,
      ),
    'spec: Forbidden: pods with node allocatable resource claims cannot be resized',
  ],
  [
    'a user out of range',
    () => reported(user({ uid: -1, gid: 0, supplementalGroups: [1, -2] })),
    'status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    'status.containerStatuses[0].user.linux.supplementalGroups[1]: Invalid value: -2: must be between 0 and ' +
      '2147483647, inclusive',
  ],
  [
    'a Linux user on Windows',
    () => reported(user({ uid: 1, gid: 1 }), { os: { name: 'windows' } }),
    'status.containerStatuses[0].user.linux: Forbidden: cannot be set for a windows pod',
  ],
  [
    'a device that nobody asked for',
    () =>
      reported(
        devices({
          name: 'x.io/gpu',
          resources: [
            { resourceID: '1', health: 'Healthy' },
            { resourceID: '1', health: 'Fine' },
          ],
        }),
      ),
    'status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "x.io/gpu": must match one ' +
      "of the container's resource requests",
    'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].health: Unsupported value: "Fine": ' +
      'supported values: "Healthy", "Unhealthy", "Unknown"',
    'status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "1"',
  ],
  [
    'a claim of the container',
    () =>
      reported(devices({ name: 'claim:gpus/one', resources: [] }), {
        containers: [{ ...container, resources: { claims: [{ name: 'gpus', request: 'one' }] } }],
      }),
  ],
  [
    'a claim for extended resources that maps nothing',
    () => reported({ extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: 'r' } }),
    'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
  ],
  [
    'one for another container',
    () =>
      reported({
        extendedResourceClaimStatus: {
          requestMappings: [{ containerName: 'x', resourceName: 'x.io/gpu', requestName: 'a.b' }],
          resourceClaimName: '',
        },
      }),
    'status.extendedResourceClaimStatus.requestMappings[0].containerName: Invalid value: "x": must match the ' +
      'name of an entry in spec.initContainers.name or spec.containers.name',
    'status.extendedResourceClaimStatus.requestName: Invalid value: "a.b": must not contain dots',
    'status.extendedResourceClaimStatus.resourceClaimName: Required value',
  ],
  [
    'claims on the node that nobody made',
    () =>
      reported({
        nodeAllocatableResourceClaimStatuses: [
          { resourceClaimName: 'r', resources: { 'x.io/a': '-1' }, containers: ['c'] },
        ],
      }),
    'status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName: Invalid value: "r": no mapping found ' +
      'in pod reference',
    'status.nodeAllocatableResourceClaimStatuses[0].resources[x.io/a]: Invalid value: "x.io/a": must be a ' +
      'node allocatable resource name',
    'status.nodeAllocatableResourceClaimStatuses[0].resources[x.io/a]: Invalid value: "-1": must be non-negative',
  ],
];

describe('rules of parts of pods', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('resources of the pod that come empty', () => {
    expect(
      validatePodUpdate(pod({ resources: {} }), pod(), unprivileged).map(({ detail, field }) => [
        field,
        detail.split(' ').slice(0, 7).join(' '),
      ]),
    ).to.deep.equal([['spec', 'pod updates may not change fields other']]);
  });

  it('lists that come empty where an update may change them are none', () => {
    const changed = pod({ hostname: 'other' });
    for (const list of ['initContainers', 'schedulingGates', 'tolerations'])
      noteEmptied(changed.spec as PodSpec, list, 'list');
    const [mistake] = validatePodUpdate(changed, pod(), unprivileged);
    expect(mistake?.detail)
      .to.match(/"Hostname": "other"/)
      .and.not.match(/\[\]/);
  });
});

describe('features that are off unless somebody turns them on', () => {
  const gates = [
    'ContainerStopSignals',
    'TaintTolerationComparisonOperators',
    'UserNamespacesHostNetworkSupport',
  ] as const;
  const on = capabilitiesOf({
    allowPrivileged: true,
    gates: new FeatureGates(new Map(gates.map((gate) => [gate, 'true']))),
  });
  const problems = (rest: Partial<PodSpec>): string[] => validatePod(pod(rest), on).map(String);
  const signalled = (stopSignal: string, name?: string): Partial<PodSpec> => ({
    ...(name === undefined ? {} : { os: { name } }),
    containers: [{ ...container, lifecycle: { stopSignal: stopSignal as 'SIGINT' } }],
  });
  const at = 'spec.containers[0].lifecycle.stopSignal';

  it('end a container with a signal of its system', () => {
    const kept = spec(signalled('SIGUSR1', 'linux'));
    dropDisabledFields(kept, on);
    expect(kept).to.deep.equal(spec(signalled('SIGUSR1', 'linux')));
    expect(problems(signalled('SIGRTMIN+15', 'linux'))).to.deep.equal([]);
    expect(problems(signalled('SIGTERM'))).to.deep.equal([
      `${at}: Forbidden: may not be set for containers with empty \`spec.os.name\``,
    ]);
    expect(problems(signalled('SIGHUP', 'windows'))).to.deep.equal([
      `${at}: Unsupported value: "SIGHUP": supported values: "SIGKILL", "SIGTERM"`,
    ]);
  });

  it('compare taints with numbers', () => {
    const tolerate = (value: string): Partial<PodSpec> => ({
      tolerations: [{ key: 'k', operator: 'Gt', value, effect: 'NoSchedule' }],
    });
    const path = 'spec.tolerations[0].value: Invalid value';
    const canonical = 'must be a valid decimal integer in canonical form';
    expect(problems(tolerate('-5'))).to.deep.equal([]);
    expect(problems(tolerate('05'))).to.deep.equal([`${path}: "05": ${canonical}`]);
    expect(problems(tolerate('x'))).to.deep.equal([
      `${path}: "x": ${canonical}`,
      `${path}: "x": strconv.ParseInt: parsing "x": invalid syntax`,
    ]);
    expect(problems(tolerate('9223372036854775808'))).to.deep.equal([
      `${path}: "9223372036854775808": strconv.ParseInt: parsing "9223372036854775808": value out of range`,
    ]);
  });

  it('let a pod with users of its own have the network of its host', () => {
    expect(problems({ hostUsers: false, hostNetwork: true })).to.deep.equal([]);
    expect(problems({ hostUsers: false, hostIPC: true })).to.deep.equal([
      'spec.HostIPC: Forbidden: when `hostUsers` is false',
    ]);
  });
});

describe('fields of features that are off', () => {
  const capabilities = capabilitiesOf({ allowPrivileged: true });
  const signalled = (): PodSpec =>
    spec({
      schedulingGroup: { podGroupName: 'g' },
      containers: [{ ...container, lifecycle: { stopSignal: 'SIGINT' } }],
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [
              { clusterTrustBundle: { name: 'b', path: 'p' } },
              { podCertificate: { signerName: 's', keyType: 'ED25519' } },
            ],
          },
        },
      ],
    });

  it('are dropped', () => {
    const dropped = signalled();
    dropDisabledFields(dropped, capabilities);
    expect(dropped).to.deep.equal(spec({ volumes: [{ name: 'v', projected: { sources: [{}, {}] } }] }));
  });

  it('stay where the old object has them', () => {
    const kept = signalled();
    dropDisabledFields(kept, capabilities, signalled());
    expect(kept).to.deep.equal(signalled());
  });

  it('are dropped from a status too', () => {
    const status = (): PodStatus => ({
      containerStatuses: [
        {
          name: 'c',
          volumeMounts: [{ name: 'v', mountPath: '/', volumeStatus: { image: { imageRef: 'r' } } }],
        } as ContainerStatus,
      ],
      nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'r', resources: {}, containers: [] }],
    });
    const dropped = status();
    dropDisabledStatusFields(dropped, capabilities, undefined);
    expect(dropped).to.deep.equal({
      containerStatuses: [{ name: 'c', volumeMounts: [{ name: 'v', mountPath: '/' }] }],
    });
    const kept = status();
    dropDisabledStatusFields(kept, capabilities, status());
    expect(kept).to.deep.equal(status());
  });
});

describe('the quality of service of a new pod', () => {
  const context = internalContext({ groupResource: { group: '', resource: 'pods' }, namespace: 'ns' });
  const quality = async (object: Pod): Promise<string | undefined> => {
    await podStrategy({ capabilities: unprivileged, clock: systemClock }).prepareForCreate?.(
      object as unknown as KubeObject,
      context,
    );
    return object.status?.qosClass;
  };
  it('is what the creator says', async () => {
    expect(await quality(pod({}, {}, { qosClass: 'Guaranteed', phase: 'Running' }))).to.equal('Guaranteed');
  });
  it('is found out otherwise', async () => {
    expect(await quality(pod())).to.equal('BestEffort');
  });
});

describe('files of volumes that overlap', () => {
  it('are warned of', () => {
    const items = [
      { key: 'a', path: 'x/' },
      { key: 'b', path: 'x/y' },
      { key: 'c', path: 'xy' },
    ];
    expect(
      overlappingPathWarnings([
        { name: 'm', configMap: { name: 'n', items } },
        {
          name: 'p',
          projected: {
            sources: [
              { secret: { name: 's', items: [{ key: 'k', path: 'token' }] } },
              {},
              { serviceAccountToken: { path: 'token' } },
            ],
          },
        },
      ]),
    ).to.deep.equal([
      'volume "m" (ConfigMap "n"): overlapping paths: "x/y" with "x"',
      'volume "p" (Projected) has no sources provided',
      'volume "p" (Projected): overlapping paths: "token" (ServiceAccountToken) with "token" (Secret "s")',
    ]);
  });
});
