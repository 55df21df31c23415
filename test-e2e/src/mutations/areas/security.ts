import type { ObjectMap, Value } from '../values.ts';
import type { Changes } from '../stories/kinds.ts';
import type { Area } from './area.ts';
import { changed, make, send } from './support.ts';

/** Places and values that the checks of pod security look at (pod-security-admission/policy, 1.36). */
const CONTAINER_CHANGES: Changes = {
  'securityContext.allowPrivilegeEscalation': [true, false, undefined],
  'securityContext.privileged': [true, false, undefined],
  'securityContext.procMount': ['Unmasked', 'Default', undefined],
  'securityContext.runAsNonRoot': [true, false, undefined],
  'securityContext.runAsUser': [0, 1, undefined],
  'securityContext.capabilities': [
    { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
    { drop: ['ALL'], add: ['CHOWN', 'SYS_ADMIN'] },
    { drop: ['all'] },
    { drop: ['NET_RAW'] },
    { add: ['CAP_NET_RAW', 'NET_RAW', 'SETUID', ''] },
    undefined,
  ],
  'securityContext.seccompProfile': [
    { type: 'Unconfined' },
    { type: 'RuntimeDefault' },
    { type: 'Localhost', localhostProfile: 'x' },
    undefined,
  ],
  'securityContext.appArmorProfile': [
    { type: 'Unconfined' },
    { type: 'RuntimeDefault' },
    { type: 'Localhost', localhostProfile: 'x' },
    undefined,
  ],
  'securityContext.seLinuxOptions': [
    { type: 'container_t' },
    { type: 'container_engine_t' },
    { type: 'spc_t', user: 'u' },
    { role: 'r' },
    {},
    undefined,
  ],
  'securityContext.windowsOptions': [{ hostProcess: true }, { hostProcess: false }, undefined],
  securityContext: [{}, undefined],
  ports: [
    [{ containerPort: 80, hostPort: 80 }],
    [
      { containerPort: 80, hostPort: 0 },
      { containerPort: 1, hostPort: 9 },
    ],
  ],
  'livenessProbe.httpGet': [{ port: 80, host: '1.2.3.4' }, { port: 80, host: '127.0.0.1' }, { port: 80 }],
  'readinessProbe.tcpSocket': [
    { port: 80, host: 'x' },
    { port: 80, host: '' },
  ],
  'startupProbe.httpGet': [{ port: 80, host: 'y' }],
  'lifecycle.postStart.httpGet': [{ port: 80, host: 'z' }],
  'lifecycle.preStop.tcpSocket': [{ port: 80, host: 'q' }],
};
const ANNOTATIONS: Changes = {
  'metadata.annotations.container~1apparmor~1security~1beta~1kubernetes~1io/a': [
    'unconfined',
    'runtime/default',
    'localhost/x',
    'x',
  ],
  'metadata.annotations.seccomp~1security~1alpha~1kubernetes~1io/pod': ['unconfined', 'runtime/default', 'localhost/x'],
  'metadata.annotations.container~1seccomp~1security~1alpha~1kubernetes~1io/a': ['unconfined', 'docker/default'],
};
const VOLUMES: readonly Value[] = [
  { name: 'v1', hostPath: { path: '/x' } },
  { name: 'v2', emptyDir: {} },
  { name: 'v3', nfs: { server: 's', path: '/p' } },
  { name: 'v4', hostPath: { path: '/y' } },
  { name: 'v5', csi: { driver: 'd' } },
  { name: 'v6', gcePersistentDisk: { pdName: 'p' } },
  { name: 'v7', persistentVolumeClaim: { claimName: 'c' } },
  { name: 'v8', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
  { name: 'v9', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2020-01.x:y', lun: 1 } },
  {
    name: 'v10',
    ephemeral: {
      volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
    },
  },
  { name: 'v11', image: { reference: 'r' } },
  { name: 'v12', secret: { secretName: 's' } },
  { name: 'v13', downwardAPI: { items: [] } },
  { name: 'v14', configMap: { name: 'c' } },
  { name: 'v15', fc: { targetWWNs: ['w'], lun: 1 } },
  { name: 'v16', azureFile: { secretName: 's', shareName: 'h' } },
  { name: 'v17', flexVolume: { driver: 'a/b' } },
  { name: 'v18', rbd: { monitors: ['m'], image: 'i' } },
];
const sysctls = (...names: string[]): Value => names.map((name) => ({ name, value: '1' }));
const POD_CHANGES: Changes = {
  hostNetwork: [true, false, undefined],
  hostPID: [true, undefined],
  hostIPC: [true, undefined],
  hostUsers: [true, false, undefined],
  'os.name': ['windows', 'linux'],
  os: [undefined],
  'securityContext.runAsNonRoot': [true, false, undefined],
  'securityContext.runAsUser': [0, 5, undefined],
  'securityContext.seccompProfile': [
    { type: 'Unconfined' },
    { type: 'RuntimeDefault' },
    { type: 'Localhost', localhostProfile: 'x' },
    undefined,
  ],
  'securityContext.appArmorProfile': [{ type: 'Unconfined' }, { type: 'RuntimeDefault' }, undefined],
  'securityContext.seLinuxOptions': [{ type: 'container_kvm_t', role: 'r' }, { type: 'x' }, { user: 'u' }, undefined],
  'securityContext.windowsOptions': [{ hostProcess: true }, undefined],
  'securityContext.sysctls': [
    sysctls('kernel.shm_rmid_forced'),
    sysctls('net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_rmem'),
    sysctls('a', 'kernel.msgmax', 'net.ipv4.ping_group_range'),
    sysctls('net/ipv4/tcp_syncookies'),
    undefined,
  ],
  securityContext: [{}, undefined],
  volumes: [undefined, []],
  runtimeClassName: ['none', undefined],
};

const SAFE: ObjectMap = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const SPECS: readonly ObjectMap[] = [
  { containers: [{ name: 'a', image: 'a', securityContext: SAFE }] },
  {
    containers: [
      { name: 'a', image: 'a', securityContext: SAFE },
      { name: 'b', image: 'b', securityContext: SAFE },
    ],
    initContainers: [{ name: 'i', image: 'i', securityContext: SAFE }],
  },
  {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'a',
        image: 'a',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
    initContainers: [
      { name: 'i', image: 'i' },
      { name: 'j', image: 'j', securityContext: SAFE, restartPolicy: 'Always' },
    ],
  },
  { containers: [{ name: 'a', image: 'a' }] },
];

const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
const VERSIONS = [
  'latest', 'v1.0', 'v1.7', 'v1.8', 'v1.18', 'v1.19', 'v1.21', 'v1.22', 'v1.24', 'v1.25', 'v1.26', 'v1.27', 'v1.28',
  'v1.29', 'v1.30', 'v1.31', 'v1.32', 'v1.33', 'v1.34', 'v1.35', 'v1.36', 'v1.37', 'v1.99', 'v2.0', 'x', '',
] as const; // prettier-ignore
const MODES = ['enforce', 'warn', 'audit'] as const;
const PREFIX = 'pod-security.kubernetes.io/';

/** Namespaces that requests go to: each level is enforced or warned of in each version that changes a check. */
const NAMESPACES: ReadonlyMap<string, ObjectMap> = new Map(
  (['baseline', 'restricted'] as const).flatMap((level) =>
    VERSIONS.slice(0, -4).flatMap((version, i) => namespacesOf(level, version, i)),
  ),
);
const NAMES: readonly string[] = [...NAMESPACES.keys()];

/** One namespace that refuses pods, and one that warns of them. */
function namespacesOf(level: string, version: string, index: number): readonly (readonly [string, ObjectMap])[] {
  const warned = { [`${PREFIX}warn`]: level, [`${PREFIX}warn-version`]: version };
  return [
    [`sec-${level}-${index}-e`, { [`${PREFIX}enforce`]: level, [`${PREFIX}enforce-version`]: version }],
    [`sec-${level}-${index}-w`, index % 3 === 0 ? { ...warned, [`${PREFIX}enforce`]: 'baseline' } : warned],
  ];
}

/** Controllers whose pods are warned of. */
const TEMPLATES: readonly { readonly path: string; readonly make: (template: ObjectMap) => ObjectMap }[] = [
  ...['deployments', 'replicasets', 'daemonsets', 'statefulsets'].map((plural) => ({
    path: `/apis/apps/v1/namespaces/NS/${plural}`,
    make: (template: ObjectMap): ObjectMap => ({
      metadata: { name: 'made' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { ...template, metadata: { ...(template['metadata'] as ObjectMap), labels: { a: 'b' } } },
      },
    }),
  })),
  {
    path: '/apis/batch/v1/namespaces/NS/jobs',
    make: (template) => ({ metadata: { name: 'made' }, spec: { template: once(template) } }),
  },
  {
    path: '/apis/batch/v1/namespaces/NS/cronjobs',
    make: (template) => ({
      metadata: { name: 'made' },
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once(template) } } },
    }),
  },
  { path: '/api/v1/namespaces/NS/podtemplates', make: (template) => ({ metadata: { name: 'made' }, template }) },
  {
    path: '/api/v1/namespaces/NS/replicationcontrollers',
    make: (template) => ({
      metadata: { name: 'made' },
      spec: { selector: { a: 'b' }, template: { ...template, metadata: { labels: { a: 'b' } } } },
    }),
  },
];

function once(template: ObjectMap): ObjectMap {
  return { ...template, spec: { ...(template['spec'] as ObjectMap), restartPolicy: 'Never' } };
}

/** Pods and controllers in namespaces of each level of pod security, and changes of those namespaces. */
export const security: Area = {
  async prepare(both) {
    for (const name of NAMES) await make(both, '/api/v1/namespaces', { metadata: { name } });
    const pods: readonly ObjectMap[] = [
      ...SPECS,
      { hostNetwork: true, hostPID: true, containers: [{ name: 'a', image: 'a' }] },
      {
        containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }],
        volumes: VOLUMES.slice(0, 2),
      },
      { hostNetwork: true, hostPID: true, containers: [{ name: 'b', image: 'a' }] },
    ];
    for (const name of ['sec-baseline-0-e', 'sec-restricted-0-w', 'sec-restricted-9-e'])
      for (const [i, spec] of pods.entries())
        await make(both, `/api/v1/namespaces/${name}/pods`, { metadata: { name: `p${i}` }, spec });
    for (const [name, labels] of NAMESPACES)
      for (const client of both)
        await client.patch(`/api/v1/namespaces/${name}`, 'merge-patch', { metadata: { labels } });
  },

  request({ values }) {
    const namespace = values.pick(NAMES);
    const spec = structuredClone(values.pick(SPECS));
    const template: ObjectMap = { metadata: { name: 'made' }, spec };
    for (let left = 1 + values.below(5); left > 0; left--) {
      const way = values.share();
      if (way < 0.5) {
        const lists = ['containers', 'initContainers'].filter((list) => Array.isArray(spec[list]));
        const list = spec[values.pick(lists)] as Value[];
        const index = values.below(list.length);
        list[index] = changed(list[index] as ObjectMap, CONTAINER_CHANGES, { most: 2, values });
      } else if (way < 0.85)
        Object.assign(template, { spec: changed(template['spec'] as ObjectMap, POD_CHANGES, { most: 1, values }) });
      else if (way < 0.92) Object.assign(template, changed(template, ANNOTATIONS, { most: 2, values }));
      else (template['spec'] as ObjectMap)['volumes'] = VOLUMES.filter(() => values.chance(0.3));
      if (way >= 0.5 && way < 0.85) break;
    }
    const way = values.share();
    if (way < 0.6) return send('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, template);
    if (way < 0.85) {
      const { make: makeOf, path } = values.pick(TEMPLATES);
      const { spec: podSpec, metadata } = template;
      const annotations = (metadata as ObjectMap)['annotations'];
      const inner: ObjectMap = {
        spec: podSpec ?? {},
        ...(annotations === undefined ? {} : { metadata: { annotations } }),
      };
      return send('POST', `${path.replace('NS', namespace)}?dryRun=All`, makeOf(inner));
    }
    const ofPods = values.pick(['sec-baseline-0-e', 'sec-restricted-0-w', 'sec-restricted-9-e']);
    if (way < 0.95) {
      const labels: ObjectMap = {};
      for (const mode of MODES) {
        if (values.chance(0.5)) labels[`${PREFIX}${mode}`] = values.pick([...LEVELS, 'x', '', null]);
        if (values.chance(0.3)) labels[`${PREFIX}${mode}-version`] = values.pick([...VERSIONS, null]);
      }
      const path = `/api/v1/namespaces/${values.pick([ofPods, namespace])}?dryRun=All`;
      return send('PATCH', path, { metadata: { labels } }, { contentType: 'application/merge-patch+json' });
    }
    const ephemeralContainers = [changed({ name: 'e', image: 'e' }, CONTAINER_CHANGES, { most: 2, values })];
    const path = `/api/v1/namespaces/${ofPods}/pods/p${values.below(5)}/ephemeralcontainers?dryRun=All`;
    return send(
      'PATCH',
      path,
      { spec: { ephemeralContainers } },
      { contentType: 'application/strategic-merge-patch+json' },
    );
  },
};
