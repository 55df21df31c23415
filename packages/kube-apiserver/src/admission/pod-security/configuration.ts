import {
  FieldPath,
  aggregateMessage,
  duplicate,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { levels, parseLevel, parseVersion } from './level-version.ts';
import { privilegedPolicy } from './policy.ts';
import type { Policy } from './policy.ts';

/** A PodSecurityConfiguration of pod-security.admission.config.k8s.io, 1.36. */
export interface PodSecurityConfiguration {
  /** Of namespaces whose labels say nothing. */
  readonly defaults: Policy;
  readonly exemptions: Exemptions;
}

/** Whom and what no policy holds. */
export interface Exemptions {
  readonly usernames: readonly string[];
  readonly namespaces: readonly string[];
  readonly runtimeClasses: readonly string[];
}

export const podSecurityConfigurationType = {
  group: 'pod-security.admission.config.k8s.io',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  kind: 'PodSecurityConfiguration',
  fields: ['defaults', 'exemptions'],
};

/** Nobody is exempt, nothing is refused that no label refuses. */
export const noPodSecurityConfiguration: PodSecurityConfiguration = {
  defaults: privilegedPolicy,
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};

const username = (name: string): readonly string[] => (name === '' ? ['username must not be empty'] : []);

/** Reads the fields of a configuration. @throws TypeError with all that is wrong */
export function readPodSecurityConfiguration(fields: Readonly<Record<string, unknown>>): PodSecurityConfiguration {
  const errors: FieldError[] = [];
  const defaults = (fields['defaults'] ?? {}) as Readonly<Record<string, string>>;
  const exemptions = (fields['exemptions'] ?? {}) as Readonly<Record<string, readonly string[]>>;
  const mode = (name: keyof Policy): Policy[keyof Policy] => {
    const at = FieldPath.of('defaults');
    const { level, version } = privilegedPolicy[name];
    const levelText = defaults[name] || level;
    const versionText = defaults[`${name}-version`] || version;
    const [parsedLevel, parsedVersion] = [parseLevel(levelText), parseVersion(versionText)];
    if (parsedLevel === undefined)
      errors.push(invalidValue(at.child(name), levelText, `must be one of ${levels.join(', ')}`));
    if (parsedVersion === undefined)
      errors.push(invalidValue(at.child(`${name}-version`), versionText, 'must be "latest" or "v1.x"'));
    return { level: parsedLevel ?? level, version: parsedVersion ?? version };
  };
  const names = (list: keyof Exemptions, problemsOf: (name: string) => readonly string[]): readonly string[] => {
    const given = exemptions[list] ?? [];
    const seen = new Set<string>();
    for (const [i, name] of given.entries()) {
      const at = FieldPath.of('exemptions', list).index(i);
      const problems = problemsOf(name);
      if (problems.length > 0) errors.push(invalidValue(at, name, problems.join(', ')));
      else if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
    }
    return given;
  };
  const policy: Policy = { enforce: mode('enforce'), warn: mode('warn'), audit: mode('audit') };
  const read: PodSecurityConfiguration = {
    defaults: policy,
    exemptions: {
      namespaces: names('namespaces', isDNS1123Label),
      runtimeClasses: names('runtimeClasses', isDNS1123Subdomain),
      usernames: names('usernames', username),
    },
  };
  if (errors.length > 0) throw new TypeError(aggregateMessage(errors));
  return read;
}
