import { goTool } from '../harness/go-tools.ts';
import type { Cluster } from './cluster.ts';
import { importImage } from './image.ts';
import { addProgram } from './program-files.ts';

const IMAGE = 'docker.io/library/coredns:1';
const NAMESPACE = 'kube-system';
const ROLE = 'system:coredns';
const COREFILE = `.:53 {
  errors
  health :8080
  ready
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    pods insecure
    ttl 5
  }
  cache 2
}
`;

/** Starts CoreDNS in the cluster, where pods expect it; resolves when it answers. */
export async function startDNS(cluster: Cluster): Promise<void> {
  const program = await goTool('coredns');
  await importImage(cluster.machine, {
    names: [IMAGE],
    fill: (root) => addProgram(root, program, '/coredns'),
    config: { Entrypoint: ['/coredns'] },
  });
  const rbac = 'rbac.authorization.k8s.io';
  const labels = { 'k8s-app': 'kube-dns' };
  const metadata = { name: 'coredns', namespace: NAMESPACE };
  await cluster.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: ROLE },
      rules: [
        { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: ROLE },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: ROLE },
      subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace: NAMESPACE }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: COREFILE } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: NAMESPACE },
      spec: {
        clusterIP: cluster.machine.addresses.dns,
        selector: labels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        ],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'coredns',
            dnsPolicy: 'Default',
            volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
            containers: [
              {
                name: 'coredns',
                image: IMAGE,
                args: ['-conf', '/etc/coredns/Corefile'],
                readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
                volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
              },
            ],
          },
        },
      },
    },
  );
  await cluster.kubectl.ok(`rollout status deployment/coredns -n ${NAMESPACE} --timeout=90s`);
}
