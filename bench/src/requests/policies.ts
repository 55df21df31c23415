import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const matchConstraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
};
const validations = [
  { expression: "object.metadata.labels['app'] != 'forbidden'" },
  { expression: 'object.data.all(key, size(object.data[key]) < 100000)' },
];
const mutationOf = (label: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {"${label}": "x"}}}` },
});

/** How long informers take to see a policy, with some to spare. */
const settledMs = 1500;

/** Four policies that look at config maps and two that change them. Resolves to what removes them. */
export async function makePolicies(client: Client): Promise<() => Promise<void>> {
  const paths: string[] = [];
  const make = async (
    kind: 'Validating' | 'Mutating',
    i: number,
    { binding, spec }: { readonly spec: object; readonly binding: object },
  ): Promise<void> => {
    const name = `bench-${i}`;
    for (const [resource, of, written] of [
      ['policies', '', spec],
      ['policybindings', 'Binding', { policyName: name, ...binding }],
    ] as const) {
      const path = `${group}/${kind.toLowerCase()}admission${resource}`;
      await client.call(
        'POST',
        path,
        JSON.stringify({
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: `${kind}AdmissionPolicy${of}`,
          metadata: { name },
          spec: written,
        }),
      );
      paths.push(`${path}/${name}`);
    }
  };
  for (let i = 0; i < 4; i++)
    await make('Validating', i, { spec: { matchConstraints, validations }, binding: { validationActions: ['Deny'] } });
  for (let i = 0; i < 2; i++)
    await make('Mutating', i, {
      spec: { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutationOf(`label-${i}`)] },
      binding: {},
    });
  await delay(settledMs);
  return async () => {
    for (const path of paths) await client.call('DELETE', path);
    await delay(settledMs);
  };
}
