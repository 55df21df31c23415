import type { ObjectMap, Value, Values } from '../values.ts';
import { CONDITIONS, RULES } from './policies.ts';
import { WEBHOOKS_THAT_CHANGE, WEBHOOKS_THAT_FAIL } from './webhook-listener.ts';

/** Rules of versions and groups beside those that requests name: {@link https://kep.k8s.io/1872} matchPolicy. */
const EQUIVALENT_RULES: readonly ObjectMap[] = [
  { apiGroups: ['autoscaling'], apiVersions: ['v2'], operations: ['*'], resources: ['horizontalpodautoscalers'] },
  { apiGroups: ['events.k8s.io'], apiVersions: ['v1'], operations: ['*'], resources: ['events'] },
  { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['events'] },
  { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments/*'] },
  {
    apiGroups: ['autoscaling'],
    apiVersions: ['v1'],
    operations: ['UPDATE'],
    resources: ['deployments/scale', 'scales'],
  },
];

/**
 * Webhooks of chance that are asked about one namespace only, all at `url`.
 * @param url the beginning of their addresses; a placeholder where each server has another one
 */
export function webhooksOf(
  namespace: string,
  { caBundle, url, values }: { readonly caBundle: string; readonly url: string; readonly values: Values },
): readonly { readonly path: string; readonly body: ObjectMap }[] {
  const root = '/apis/admissionregistration.k8s.io/v1';
  const here: Value = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const made: { path: string; body: ObjectMap }[] = [];
  let count = 0;
  const some = <T>(all: readonly T[], most: number): T[] =>
    Array.from({ length: 1 + values.below(most) }, () => values.pick(all)).filter(
      (of, i, list) => list.indexOf(of) === i,
    );
  const webhook = (isMutating: boolean): ObjectMap => {
    const index = count++;
    const behaviour = values.pick(values.chance(0.85) ? WEBHOOKS_THAT_CHANGE : WEBHOOKS_THAT_FAIL);
    return {
      name: `w${index}.example.com`,
      clientConfig: { url: `${url}/${namespace}/${index}/${behaviour}`, caBundle },
      admissionReviewVersions: values.pick([['v1'], ['v1'], ['v1beta1', 'v1'], ['v2', 'v1beta1']]),
      sideEffects: values.pick(['None', 'None', 'NoneOnDryRun']),
      namespaceSelector: here,
      rules: some([...RULES, ...EQUIVALENT_RULES], 3),
      ...(values.chance(0.6) ? { failurePolicy: values.pick(['Fail', 'Ignore']) } : {}),
      ...(values.chance(0.4) ? { matchPolicy: values.pick(['Exact', 'Equivalent']) } : {}),
      ...(values.chance(0.3) ? { matchConditions: some(CONDITIONS, 2) } : {}),
      ...(values.chance(0.2) ? { objectSelector: { matchLabels: { l: 'a' } } } : {}),
      ...(values.chance(0.3) ? { timeoutSeconds: values.pick([5, 30]) } : {}),
      ...(isMutating && values.chance(0.6) ? { reinvocationPolicy: values.pick(['Never', 'IfNeeded']) } : {}),
    };
  };
  for (const kind of ['Mutating', 'Validating']) {
    const isMutating = kind === 'Mutating';
    if (values.chance(isMutating ? 0.85 : 0.6))
      made.push({
        path: `${root}/${kind.toLowerCase()}webhookconfigurations`,
        body: {
          metadata: { name: `${namespace}-w`, labels: { story: namespace } },
          webhooks: Array.from({ length: 1 + values.below(3) }, () => webhook(isMutating)),
        },
      });
  }
  return made;
}
