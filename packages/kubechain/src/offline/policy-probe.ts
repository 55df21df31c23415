import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../launch-error.ts';
import type { JSONClient } from '../testing/json-client.ts';
import { probeDefinition } from '../testing/probe-definition.ts';

const name = 'probe.kubechain.test';
const label = { 'kubechain.test/policy-probe': 'true' };
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const longestWaitMs = 10_000;
const lookMs = 5;

/**
 * Resolves when all servers know the policies that are stored: policies are followed in the order in which they were
 * written, so that a last one of ours that refuses our own objects tells of all before it.
 */
export async function policiesSeen(client: JSONClient): Promise<void> {
  await client.send({
    method: 'POST',
    path: policies,
    body: {
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          objectSelector: { matchLabels: label },
          resourceRules: [
            {
              apiGroups: ['*'],
              apiVersions: ['*'],
              operations: ['CREATE'],
              resources: ['configmaps', 'customresourcedefinitions'],
            },
          ],
        },
        validations: [{ expression: 'false', message: name }],
      },
    },
  });
  await client.send({
    method: 'POST',
    path: `${policies.replace(/policies$/, 'policybindings')}`,
    body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
  });
  const deadline = performance.now() + longestWaitMs;
  for (const [path, spec] of [
    ['/api/v1/namespaces/default/configmaps', {}],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { spec: probeDefinition }],
  ] as const)
    for (;;) {
      const body = { metadata: { name: 'probes.kubechain.test', labels: label }, ...spec };
      const { text } = await client.ask({ method: 'POST', path: `${path}?dryRun=All`, body });
      if (text.includes(`denied request: ${name}`)) break;
      if (performance.now() > deadline) throw new LaunchError('Timeout', `policies are not followed: ${text}`);
      await delay(lookMs);
    }
}
