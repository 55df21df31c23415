import { noteEmptied, printed } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { builtInScheme } from './built-in-defaults.ts';

interface Row {
  readonly name: string;
  readonly object: KubeObject;
  readonly expected: Record<string, unknown>;
}

const container = { name: 'c', image: 'nginx' };
const containerDefaults = {
  imagePullPolicy: 'Always',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const podSpecDefaults = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
};

const pod = (spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec: { containers: [{ ...container }], ...spec },
});
const podWith = (spec: object): Record<string, unknown> => ({
  spec: { containers: [{ ...container, ...containerDefaults }], ...podSpecDefaults, enableServiceLinks: true, ...spec },
});

const rows: readonly Row[] = [
  { name: 'a pod', object: pod({}), expected: podWith({}) },
  {
    name: 'an old service account field',
    object: pod({ serviceAccount: 'a' }),
    expected: podWith({ serviceAccount: 'a', serviceAccountName: 'a' }),
  },
  {
    name: 'both service account fields: the new one wins',
    object: pod({ serviceAccount: 'a', serviceAccountName: 'b' }),
    expected: podWith({ serviceAccount: 'b', serviceAccountName: 'b' }),
  },
  {
    name: 'a negative grace period of a pod',
    object: pod({ terminationGracePeriodSeconds: -3 }),
    expected: podWith({ terminationGracePeriodSeconds: 1 }),
  },
  {
    name: 'limits of a container become its requests',
    object: pod({
      containers: [{ ...container, resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500u' } } }],
    }),
    expected: podWith({
      containers: [
        {
          ...container,
          ...containerDefaults,
          resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1m', memory: '1Gi' } },
        },
      ],
    }),
  },
  {
    name: 'requests of the whole pod come from containers, then from limits',
    object: pod({
      containers: [{ ...container, resources: { requests: { cpu: '1' } } }],
      resources: { limits: { cpu: '2', memory: '1Gi' } },
    }),
    expected: podWith({
      containers: [{ ...container, ...containerDefaults, resources: { requests: { cpu: '1' } } }],
      resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } },
    }),
  },
  {
    name: 'ports in the network of the host',
    object: pod({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] }),
    expected: podWith({
      hostNetwork: true,
      containers: [
        { ...container, ...containerDefaults, ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] },
      ],
    }),
  },
  {
    name: 'probes',
    object: pod({ containers: [{ ...container, image: 'a:1', livenessProbe: { httpGet: { port: 1 } } }] }),
    expected: podWith({
      containers: [
        {
          ...container,
          ...containerDefaults,
          image: 'a:1',
          imagePullPolicy: 'IfNotPresent',
          livenessProbe: {
            httpGet: { port: 1, path: '/', scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
        },
      ],
    }),
  },
  {
    name: 'volumes',
    object: pod({
      volumes: [
        { name: 'e' },
        { name: 'h', hostPath: { path: '/' } },
        { name: 's', secret: {} },
        { name: 'p', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      ],
    }),
    expected: podWith({
      volumes: [
        { name: 'e', emptyDir: {} },
        { name: 'h', hostPath: { path: '/', type: '' } },
        { name: 's', secret: { defaultMode: 420 } },
        {
          name: 'p',
          projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] },
        },
      ],
    }),
  },
  {
    name: 'a cluster service',
    object: { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
    expected: {
      spec: {
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
        internalTrafficPolicy: 'Cluster',
      },
    },
  },
  {
    name: 'a load balancer with client affinity',
    object: { apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer', sessionAffinity: 'ClientIP' } },
    expected: {
      spec: {
        type: 'LoadBalancer',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
      },
    },
  },
  {
    name: 'an external name',
    object: { apiVersion: 'v1', kind: 'Service', spec: { type: 'ExternalName', externalName: 'a.b' } },
    expected: { spec: { type: 'ExternalName', externalName: 'a.b', sessionAffinity: 'None' } },
  },
  {
    name: 'stringData wins',
    object: { apiVersion: 'v1', kind: 'Secret', data: { a: 'YQ==', b: 'Yg==' }, stringData: { b: 'B' } },
    expected: { type: 'Opaque', data: { a: 'YQ==', b: 'Qg==' } },
  },
  {
    name: 'a namespace',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } },
    expected: { metadata: { name: 'x', labels: { 'kubernetes.io/metadata.name': 'x' } }, status: { phase: 'Active' } },
  },
  {
    name: 'limits of containers',
    object: {
      apiVersion: 'v1',
      kind: 'LimitRange',
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Mi' } },
          { type: 'Pod', max: { cpu: '2' } },
        ],
      },
    },
    expected: {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2' },
            min: { cpu: '1', memory: '1Mi' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '2', memory: '1Mi' },
          },
          { type: 'Pod', max: { cpu: '2' } },
        ],
      },
    },
  },
  {
    name: 'a deployment',
    object: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { strategy: { rollingUpdate: { maxSurge: 2 } } } },
    expected: {
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        template: { spec: { ...podSpecDefaults } },
      },
    },
  },
  {
    name: 'a job in parallel',
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      spec: { parallelism: 3, backoffLimitPerIndex: 1, template: { metadata: { labels: { a: 'b' } } } },
    },
    expected: {
      metadata: { labels: { a: 'b' } },
      spec: {
        parallelism: 3,
        backoffLimitPerIndex: 1,
        backoffLimit: 2_147_483_647,
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
        manualSelector: false,
        template: { metadata: { labels: { a: 'b' } }, spec: { ...podSpecDefaults } },
      },
    },
  },
  {
    name: 'a binding of roles',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
    expected: {
      roleRef: { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [
        { kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    },
  },
  {
    name: 'an autoscaler without a spec',
    object: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
    expected: { spec: { minReplicas: 1, maxReplicas: 0, scaleTargetRef: { kind: '', name: '' } } },
  },
  {
    name: 'an autoscaler with behavior',
    object: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      spec: { maxReplicas: 2, behavior: { scaleDown: { selectPolicy: 'Min' } } },
    },
    expected: {
      spec: {
        maxReplicas: 2,
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    },
  },
  {
    name: 'a policy with egress',
    object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', spec: { egress: [{ ports: [{ port: 1 }] }] } },
    expected: { spec: { egress: [{ ports: [{ port: 1, protocol: 'TCP' }] }], policyTypes: ['Ingress', 'Egress'] } },
  },
  {
    name: 'a taint of a device',
    object: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      spec: { devices: [{ name: 'd', taints: [{ key: 'k', effect: 'NoSchedule' }] }] },
    },
    expected: {
      spec: {
        devices: [{ name: 'd', taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '1970-01-01T00:00:00Z' }] }],
      },
    },
  },
];

describe('defaults of built-in kinds', () => {
  const scheme = builtInScheme({ now: () => 0 });

  for (const { name, object, expected } of rows) {
    it(name, () => {
      const defaulted = structuredClone(object);
      scheme.applyDefaults(defaulted);
      const { apiVersion: _apiVersion, kind: _kind, ...rest } = defaulted;
      expect(rest).to.deep.equal(expected);
      scheme.applyDefaults(defaulted);
      const { apiVersion: _again, kind: _kindAgain, ...again } = defaulted;
      expect(again, 'applied again').to.deep.equal(expected);
    });
  }

  it('limits without entries give requests without entries', () => {
    const resources = {};
    noteEmptied(resources, 'limits', 'map');
    scheme.applyDefaults(pod({ containers: [{ ...container, resources }] }));
    expect(printed<{ requests?: object }, 'requests'>(resources, 'requests')).to.deep.equal({});
  });
});
