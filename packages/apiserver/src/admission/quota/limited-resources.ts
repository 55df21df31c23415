import type { KubeObject } from '@kubechain/apimachinery';
import type { Amounts, QuotaEvaluator, ScopeRequirement } from '@kubechain/component-helpers';
import { configurationError, type PluginConfigurations } from '../configuration/plugin-configurations.ts';

/** What may only be used where a quota covers it: an entry of `limitedResources`. */
export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** Parts of the names of what is used. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly ScopeRequirement[];
}

const type = {
  group: 'apiserver.config.k8s.io',
  versions: ['v1'],
  kind: 'ResourceQuotaConfiguration',
  fields: ['limitedResources'],
} as const;
/** As it was called before it had a version 1. */
const oldType = { ...type, group: 'resourcequota.admission.k8s.io', versions: ['v1beta1', 'v1alpha1'] } as const;

/** `limitedResources` of the configuration of ResourceQuota. @throws OptionsError in one line that names the plugin */
export function limitedResources(configurations: PluginConfigurations): readonly LimitedResource[] {
  const plugin = 'ResourceQuota';
  const old = String(configurations.unversioned(plugin)?.['apiVersion']).startsWith(`${oldType.group}/`);
  const fields = configurations.fieldsOf(plugin, old ? { ...oldType, kind: 'Configuration' } : type);
  const limited = (fields['limitedResources'] ?? []) as readonly LimitedResource[];
  for (const [i, { resource }] of limited.entries())
    if (typeof resource !== 'string' || resource === '')
      throw configurationError(`${plugin}: limitedResources[${i}].resource: Required value`);
  return limited;
}

/** What an object uses of limited things, by name. */
export function limitedNames(
  limited: readonly LimitedResource[],
  {
    resource,
    usage,
  }: { readonly resource: { readonly group: string; readonly resource: string }; readonly usage: Amounts },
): string[] {
  const parts = limited
    .filter((each) => each.resource === resource.resource && (each.apiGroup ?? '') === resource.group)
    .flatMap(({ matchContains = [] }) => matchContains);
  return [...usage]
    .filter(([name, { sign }]) => sign > 0 && parts.some((part) => name.includes(part)))
    .map(([name]) => name);
}

/** Limited scopes that an object is in and that no quota covers. */
export function uncoveredScopes(
  limited: readonly LimitedResource[],
  covered: readonly ScopeRequirement[],
  { evaluator, object }: { readonly evaluator: QuotaEvaluator; readonly object: KubeObject },
): ScopeRequirement[] {
  return limited
    .flatMap(({ matchScopes = [] }) => matchScopes)
    .filter((scope) => evaluator.matchesScope(scope, object))
    .filter(({ scopeName }) => !covered.some((scope) => scope.scopeName === scopeName));
}

/** As Go prints a list of them. */
export function describeScopes(scopes: readonly ScopeRequirement[]): string {
  const texts = scopes.map(
    ({ operator, scopeName, values = [] }) => `{${scopeName} ${operator} [${values.join(' ')}]}`,
  );
  return `[${texts.join(' ')}]`;
}
