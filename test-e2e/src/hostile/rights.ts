import type { Target } from './target.ts';

/** Bearer tokens: of the ordinary user eve, of an administrator who looks on, and of somebody without rights. */
export const eve = 'the-ordinary-user';
export const administrator = 'the-administrator';
export const passerby = 'the-passerby';
export const tokensFile =
  `${eve},eve,eve\n${administrator},administrator,administrator,system:masters\n` + `${passerby},passerby,passerby\n`;

const subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' };

/**
 * What the ordinary user may do: everything in a namespace, and what schemas and expressions come from: custom
 * resources, and policies, which bind nobody as long as nobody binds them; requests for certificates.
 */
const objects = [
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hostile' } }],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/hostile/rolebindings',
    {
      metadata: { name: 'eve' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [subject],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'eve' },
      rules: [
        { apiGroups: ['apiextensions.k8s.io', 'hostile.example'], resources: ['*'], verbs: ['*'] },
        {
          apiGroups: ['admissionregistration.k8s.io'],
          resources: ['validatingadmissionpolicies', 'mutatingadmissionpolicies'],
          verbs: ['*'],
        },
        { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] },
      ],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      metadata: { name: 'eve' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'eve' },
      subjects: [subject],
    },
  ],
  ['/api/v1/namespaces/hostile/serviceaccounts', { metadata: { name: 'default' } }],
  ['/api/v1/namespaces/hostile/serviceaccounts', { metadata: { name: 'kept' } }],
  ['/api/v1/namespaces/hostile/configmaps', { metadata: { name: 'kept' }, data: { a: 'b' } }],
  [
    '/api/v1/namespaces/hostile/pods',
    { metadata: { name: 'kept' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  ],
  [
    '/apis/apps/v1/namespaces/hostile/deployments',
    {
      metadata: { name: 'kept' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  ],
] as const;

/** Makes what the rows are about, as the administrator. */
export async function giveRights(target: Target): Promise<void> {
  for (const [path, body] of objects) {
    const { statuses, text } = await target.http2([{ method: 'POST', path, body: JSON.stringify(body) }]);
    // Controllers may have been quicker with the service account that every namespace has.
    const made = statuses[0] === 201 || (statuses[0] === 409 && body.metadata.name === 'default');
    if (!made) throw new Error(`POST ${path}: ${text}`);
  }
}
