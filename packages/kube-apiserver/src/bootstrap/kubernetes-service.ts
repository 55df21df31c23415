import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

type NamedObject = KubeObject & { metadata: ObjectMeta };

/** Where clients reach the chain: what the `kubernetes` service stands for. */
export interface ServiceTarget {
  /** First address of --service-cluster-ip-range. */
  readonly clusterIP: string;
  /** --advertise-address */
  readonly address: string;
  readonly port: number;
}

const namespace = 'default';
const name = 'kubernetes';

/** Service `kubernetes` in the default namespace (pkg/controlplane/controller/kubernetesservice, 1.36). */
export function kubernetesService(target: ServiceTarget): NamedObject {
  return {
    apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: target.port }],
      clusterIP: target.clusterIP, clusterIPs: [target.clusterIP], type: 'ClusterIP', sessionAffinity: 'None',
      ipFamilies: [familyOf(target.clusterIP)], ipFamilyPolicy: 'SingleStack', internalTrafficPolicy: 'Cluster',
    },
  };
}

/** Its Endpoints. */
export function kubernetesEndpoints(target: ServiceTarget): NamedObject {
  return {
    apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: target.address }], ports: [{ name: 'https', port: target.port, protocol: 'TCP' }] }],
  };
}

/** Its EndpointSlice. */
export function kubernetesEndpointSlice(target: ServiceTarget): NamedObject {
  return {
    apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: familyOf(target.address), endpoints: [{ addresses: [target.address], conditions: { ready: true } }], ports: [{ name: 'https', port: target.port, protocol: 'TCP' }],
  };
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}
