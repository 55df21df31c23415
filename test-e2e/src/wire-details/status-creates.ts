import type { Step } from './step.ts';

const apply = 'application/apply-patch+yaml';
const services = '/api/v1/namespaces/default/services';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };

/** A service as a status, by an update and by an apply; read and deleted again where it was made. */
function serviceOf(name: string, body: object): readonly Step[] {
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, ...body };
  return ['u', 'a'].flatMap((by) => {
    const path = `${services}/${name}-${by}`;
    const given = { ...service, metadata: { name: `${name}-${by}` } };
    return [
      by === 'u'
        ? { method: 'PUT', path: `${path}/status`, body: given }
        : { method: 'PATCH', path: `${path}/status?fieldManager=wire`, body: given, contentType: apply },
      { method: 'GET', path },
      { method: 'DELETE', path },
    ];
  });
}

const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'by-status' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['a'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['b'] }],
    },
    validations: [{ expression: 'true' }],
  },
  status: { observedGeneration: 3 },
};
const policyStatus = `${policies}/by-status/status`;

/** Statuses of what does not exist, where kube-apiserver makes the object then. */
export const statusCreates: readonly Step[] = [
  ...serviceOf('plain', { spec: { ports: [{ port: 80 }] }, status }),
  ...serviceOf('balanced', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] }, status }),
  ...serviceOf('placed', { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.77' } }),
  ...serviceOf('empty', {}),
  { method: 'PUT', path: policyStatus, body: policy },
  { method: 'PATCH', path: policyStatus, contentType: 'application/merge-patch+json', body: { status: {} } },
  { method: 'PATCH', path: `${policyStatus}?fieldManager=wire`, contentType: apply, body: { metadata: {} } },
  {
    method: 'PATCH',
    path: `${policyStatus}?fieldManager=wire`,
    contentType: apply,
    body: { ...policy, metadata: { name: 'by-status', uid: 'u' } },
  },
  { method: 'PATCH', path: `${policyStatus}?fieldManager=wire`, contentType: apply, body: policy },
  { method: 'DELETE', path: `${policies}/by-status` },
  {
    method: 'PATCH',
    path: '/api/v1/namespaces/default/pods/none/status?fieldManager=wire',
    contentType: apply,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'none' }, status: {} },
  },
];
