import { namespaced, post } from './api-requests.ts';
import { made, request, type HostileRow } from './row.ts';
import type { HostileRequest } from './target.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Creates an object of a kind in the ordinary user's namespace. */
function object(resource: string, group: string, body: object): HostileRequest {
  return post(namespaced(resource, group), JSON.stringify({ metadata: { generateName: 'h-' }, ...body }));
}
const pod = (spec: object): HostileRequest =>
  object('pods', '', { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const service = (spec: object): HostileRequest => object('services', '', { spec: { ports: [{ port: 1 }], ...spec } });

/** Objects of built-in kinds whose fields are large, or odd. */
export const objectRows: readonly HostileRow[] = [
  made('a pod of 20,000 containers', () => pod({ containers: many(20_000, (i) => ({ name: `c${i}`, image: 'i' })) })),
  made('a pod of 20,000 containers of one name', () =>
    pod({ containers: many(20_000, () => ({ name: 'c', image: 'i' })) }),
  ),
  made('a pod of 20,000 ports', () =>
    pod({
      containers: [
        {
          name: 'c',
          image: 'i',
          ports: many(20_000, (i) => ({ containerPort: (i % 65_535) + 1, hostPort: (i % 65_535) + 1 })),
        },
      ],
    }),
  ),
  made('a pod of 20,000 tolerations', () =>
    pod({ tolerations: many(20_000, (i) => ({ key: `k${i % 10}`, operator: 'Exists' })) }),
  ),
  made('a pod of 20,000 volumes', () => pod({ volumes: many(20_000, (i) => ({ name: `v${i}`, emptyDir: {} })) })),
  made('a pod of 10,000 mounts of one volume', () =>
    pod({
      volumes: [{ name: 'v', emptyDir: {} }],
      containers: [{ name: 'c', image: 'i', volumeMounts: many(10_000, (i) => ({ name: 'v', mountPath: `/m${i}` })) }],
    }),
  ),
  made('a pod of 20,000 terms of affinity', () =>
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: many(20_000, (i) => ({
              matchExpressions: [{ key: `k${i}`, operator: 'Gt', values: ['1'] }],
            })),
          },
        },
      },
    }),
  ),
  made('a pod of selectors of 50,000 values', () =>
    pod({
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'a',
              labelSelector: {
                matchExpressions: [{ key: 'k', operator: 'NotIn', values: many(50_000, (i) => `v${i}`) }],
              },
            },
          ],
        },
      },
    }),
  ),
  made('a pod of 5,000 constraints of spread', () =>
    pod({
      topologySpreadConstraints: many(5_000, () => ({
        maxSkew: 1,
        topologyKey: 'z',
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    }),
  ),
  made('a pod of a host name of a megabyte', () =>
    pod({ hostname: '-'.repeat(1_000_000), subdomain: 'a.'.repeat(500_000) }),
  ),
  made('a pod of 20,000 searched domains', () =>
    pod({
      dnsConfig: { searches: many(20_000, () => 'a.b.c'), nameservers: many(20_000, () => '::1') },
      dnsPolicy: 'None',
    }),
  ),
  made('a pod of an image of a megabyte', () =>
    pod({ containers: [{ name: 'c', image: `${'a/'.repeat(500_000)}:@sha256:` }] }),
  ),
  made('a pod of a command of 100,000 words', () =>
    pod({
      containers: [{ name: 'c', image: 'i', command: many(100_000, () => '$(A)'), args: many(100_000, () => '$$(B') }],
    }),
  ),
  made('a pod of a class of runtime of 500 KB', () => pod({ runtimeClassName: 'a'.repeat(500_000) })),
  made('a pod of 5,000 claims', () =>
    pod({ resourceClaims: many(5_000, (i) => ({ name: `r${i}`, resourceClaimName: 'a' })) }),
  ),
  request('a pod of grace without sense', [
    pod({ terminationGracePeriodSeconds: -9_007_199_254_740_991 }),
    pod({ activeDeadlineSeconds: 9_007_199_254_740_991 }),
    pod({ priority: 2_147_483_647 }),
  ]),
  request(
    'a pod of security without sense',
    pod({
      securityContext: {
        runAsUser: -1,
        fsGroup: 9_007_199_254_740_991,
        sysctls: [{ name: '../../etc', value: '\u0000' }],
        seLinuxOptions: { level: 's0:c0.c1023'.repeat(1_000) },
      },
    }),
  ),
  made('a label of odd letters', () =>
    object('configmaps', '', {
      metadata: {
        generateName: 'h-',
        labels: Object.fromEntries(many(10_000, (i) => [`${'a.'.repeat(100)}b/${i}`, '-'.repeat(64)])),
      },
    }),
  ),
  made('annotations of 256 KB and one', () =>
    object('configmaps', '', { metadata: { generateName: 'h-', annotations: { a: 'x'.repeat(262_145) } } }),
  ),
  made('100,000 finalizers', () =>
    object('configmaps', '', { metadata: { generateName: 'h-', finalizers: many(100_000, (i) => `a.b/c${i}`) } }),
  ),
  made('a name of a megabyte', () => object('configmaps', '', { metadata: { name: 'a'.repeat(1_000_000) } })),
  made('a generated name of a megabyte', () =>
    object('configmaps', '', { metadata: { generateName: 'a'.repeat(1_000_000) } }),
  ),
  request('metadata without sense', [
    object('configmaps', '', { metadata: { name: 'm1', creationTimestamp: 'yesterday' } }),
    object('configmaps', '', { metadata: { name: 'm2', deletionTimestamp: '9999-99-99T99:99:99Z' } }),
    object('configmaps', '', { metadata: { name: 'm3', generation: -1, uid: '../..', selfLink: '/x' } }),
    object('configmaps', '', { metadata: { name: 'm4', ownerReferences: [{}] } }),
    object('configmaps', '', { metadata: { name: 'm5', namespace: 'kube-system' } }),
  ]),
  request(
    'names of odd letters',
    ['..', '.', '', 'a/b', 'a%b', 'A', 'a_b', '__proto__', 'constructor', 'ä'].map((name) =>
      object('configmaps', '', { metadata: { name } }),
    ),
  ),
  made('a service of 50,000 addresses from outside', () => service({ externalIPs: many(50_000, () => '10.0.0.1') })),
  request(
    'a service of odd addresses',
    ['010.0.0.1', '::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3', '0x7f.1', '999.1.1.1', 'None '].map((clusterIP) =>
      service({ clusterIP }),
    ),
  ),
  made('a service of 2,000 ranges of sources', () =>
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: many(2_000, () => '0.0.0.0/33') }),
  ),
  request('a service of odd ports', [
    service({ ports: [{ port: 0 }] }),
    service({ ports: [{ port: 65_536, nodePort: -1 }] }),
    service({ ports: [{ port: 1, targetPort: 'a'.repeat(10_000) }] }),
    service({ type: 'ExternalName', externalName: 'a..b' }),
  ]),
  made('30 services for all node ports', () =>
    many(30, (i) =>
      service({
        type: 'NodePort',
        ports: many(100, (j) => ({ name: `p${j}`, port: j + 1, protocol: i % 2 === 0 ? 'TCP' : 'UDP' })),
      }),
    ),
  ),
  made('endpoints of 20,000 addresses', () =>
    object('endpoints', '', {
      subsets: [{ addresses: many(20_000, () => ({ ip: '10.1.1.1' })), ports: [{ port: 1 }] }],
    }),
  ),
  made('a slice of 5,000 endpoints', () =>
    object('endpointslices', 'discovery.k8s.io/v1', {
      addressType: 'IPv4',
      ports: [],
      endpoints: many(5_000, () => ({ addresses: ['10.1.1.1'] })),
    }),
  ),
  request(
    'a schedule without sense',
    [
      '* * * * *'.repeat(10_000),
      `${'1,'.repeat(50_000)}1 * * * *`,
      '*/0 * * * *',
      '@every 1ns',
      'TZ=../../etc/passwd * * * * *',
      '1-99999999999 * * * *',
    ].map((schedule) =>
      object('cronjobs', 'batch/v1', {
        spec: {
          schedule,
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      }),
    ),
  ),
  request(
    'a time zone without sense',
    ['../../etc/passwd', 'a'.repeat(100_000), '__proto__', 'Local'].map((timeZone) =>
      object('cronjobs', 'batch/v1', {
        spec: {
          schedule: '* * * * *',
          timeZone,
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      }),
    ),
  ),
  made('a job of indexes without end', () =>
    object('jobs', 'batch/v1', {
      spec: {
        completions: 2_147_483_647,
        parallelism: 2_147_483_647,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 2_147_483_647,
        successPolicy: { rules: [{ succeededIndexes: '1-2,'.repeat(10_000) }] },
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    }),
  ),
  made('a network policy of 20,000 peers', () =>
    object('networkpolicies', 'networking.k8s.io/v1', {
      spec: {
        podSelector: {},
        ingress: [
          { from: many(20_000, () => ({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '::1/129'] } })) },
        ],
      },
    }),
  ),
  made('an ingress of 20,000 paths', () =>
    object('ingresses', 'networking.k8s.io/v1', {
      spec: {
        rules: [
          {
            host: '*.a'.repeat(50),
            http: {
              paths: many(20_000, (i) => ({
                path: `/${i}/../%2f`,
                pathType: 'Prefix',
                backend: { service: { name: 's', port: { number: 1 } } },
              })),
            },
          },
        ],
      },
    }),
  ),
  made('a quota of 20,000 resources', () =>
    object('resourcequotas', '', { spec: { hard: Object.fromEntries(many(20_000, (i) => [`count/r${i}.g`, '1'])) } }),
  ),
  made('a range of limits that cross', () =>
    object('limitranges', '', {
      spec: {
        limits: many(2_000, () => ({
          type: 'Container',
          min: { cpu: '2' },
          max: { cpu: '1' },
          default: { cpu: '1e300' },
        })),
      },
    }),
  ),
  made('a role of 50,000 rules', () =>
    object('roles', 'rbac.authorization.k8s.io/v1', {
      rules: many(20_000, (i) => ({ apiGroups: [''], resources: [`r${i}`], verbs: ['get'] })),
    }),
  ),
  made('a binding of 20,000 subjects', () =>
    object('rolebindings', 'rbac.authorization.k8s.io/v1', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: many(20_000, (i) => ({ kind: 'User', name: `u${i}`, apiGroup: 'rbac.authorization.k8s.io' })),
    }),
  ),
  made('a budget by a selector of 50,000 values', () =>
    object('poddisruptionbudgets', 'policy/v1', {
      spec: {
        minAvailable: '99999999999%',
        selector: { matchExpressions: [{ key: 'a', operator: 'In', values: many(50_000, (i) => `v${i}`) }] },
      },
    }),
  ),
  made('an autoscaler of 10,000 metrics', () =>
    object('horizontalpodautoscalers', 'autoscaling/v2', {
      spec: {
        maxReplicas: 2_147_483_647,
        scaleTargetRef: { kind: 'a', name: 'b' },
        metrics: many(10_000, () => ({
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: -1 } },
        })),
      },
    }),
  ),
  made('a claim of 10,000 modes', () =>
    object('persistentvolumeclaims', '', {
      spec: {
        accessModes: many(10_000, () => 'ReadWriteOnce'),
        resources: { requests: { storage: `${'9'.repeat(900)}Ei` } },
      },
    }),
  ),
  made('a token for 20,000 audiences', () =>
    post(
      `${namespaced('serviceaccounts')}/kept/token`,
      JSON.stringify({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: many(20_000, (i) => `a${i}`), expirationSeconds: 600 },
      }),
    ),
  ),
  request(
    'a token for times without sense',
    [-1, 0, 599, 4_294_967_297].map((expirationSeconds) =>
      post(
        `${namespaced('serviceaccounts')}/kept/token`,
        JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } }),
      ),
    ),
  ),
  made('a lease of 2^63', () =>
    object('leases', 'coordination.k8s.io/v1', {
      spec: { holderIdentity: 'a'.repeat(500_000), leaseDurationSeconds: -1, renewTime: '9999-12-31T23:59:59.999999Z' },
    }),
  ),
  made('an event of a megabyte', () =>
    object('events', 'events.k8s.io/v1', {
      eventTime: '2020-01-01T00:00:00.000000Z',
      action: 'a'.repeat(1_000),
      reason: 'r',
      note: 'n'.repeat(1_000_000),
      reportingController: 'a/b',
      reportingInstance: 'i',
      type: 'Normal',
      regarding: { namespace: 'hostile' },
    }),
  ),
  made('a secret of kinds that do not fit', () =>
    [
      'kubernetes.io/dockerconfigjson',
      'kubernetes.io/dockercfg',
      'kubernetes.io/basic-auth',
      'kubernetes.io/ssh-auth',
      'bootstrap.kubernetes.io/token',
    ].map((type) =>
      object('secrets', '', {
        type,
        data: {
          '.dockerconfigjson': Buffer.from('['.repeat(100_000)).toString('base64'),
          '.dockercfg': Buffer.from('{'.repeat(100_000)).toString('base64'),
        },
      }),
    ),
  ),
  request(
    'an eviction of nothing',
    post(
      `${namespaced('pods')}/nothing/eviction`,
      '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"other"},' +
        '"deleteOptions":{"gracePeriodSeconds":-1}}',
    ),
  ),
  request(
    'a binding to nothing',
    post(
      `${namespaced('pods')}/kept/binding`,
      '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"other"},"target":{"kind":"Pod","name":""}}',
    ),
  ),
  request('a scale without sense', [
    {
      method: 'PATCH',
      path: `${namespaced('deployments', 'apps/v1')}/kept/scale`,
      body: '{"spec":{"replicas":99999999999999999999}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    },
    {
      method: 'PUT',
      path: `${namespaced('deployments', 'apps/v1')}/kept/scale`,
      body: '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"kept"},"spec":{"replicas":-1}}',
    },
  ]),
  request('a resize without sense', {
    method: 'PATCH',
    path: `${namespaced('pods')}/kept/resize`,
    body: '{"spec":{"containers":[{"name":"nothing","resources":{"limits":{"cpu":"-1"}}}]}}',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  }),
  made('20,000 ephemeral containers', () => ({
    method: 'PATCH',
    path: `${namespaced('pods')}/kept/ephemeralcontainers`,
    body: JSON.stringify({ spec: { ephemeralContainers: many(20_000, (i) => ({ name: `e${i}`, image: 'i' })) } }),
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  })),
  made('a status of 20,000 conditions', () => ({
    method: 'PATCH',
    path: `${namespaced('pods')}/kept/status`,
    body: JSON.stringify({
      status: {
        conditions: many(20_000, (i) => ({ type: `t${i}`, status: 'Maybe' })),
        podIPs: many(20_000, () => ({ ip: '1' })),
      },
    }),
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
  })),
];
