import { unusableFlag } from '../options/options-error.ts';
import { parseFlagFile } from '../files/parse-flag-file.ts';
import type { AuditPolicy, AuditRule } from './audit-policy.ts';
import type { AuditStage } from '../request/audit-decision.ts';
import type { AuditLevel } from '../request/audit-decision.ts';
import { isPlainObject } from '@kubechain/apimachinery';

const flag = 'audit-policy-file';
const levels: ReadonlySet<unknown> = new Set<AuditLevel>(['None', 'Metadata', 'Request', 'RequestResponse']);
const stages: ReadonlySet<unknown> = new Set<AuditStage>([
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
]);
const ruleLists = ['users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs', 'omitStages'];

/**
 * Reads an audit.k8s.io/v1 Policy from YAML or JSON.
 * @throws OptionsError in one line that says what is wrong, and in which rule
 */
export function loadAuditPolicy(path: string): AuditPolicy {
  const document = parseFlagFile(path, flag);
  const problem = findProblem(document);
  if (problem !== undefined) throw unusableFlag(flag, `${path}: ${problem}`);
  return document as AuditPolicy;
}

function findProblem(document: unknown): string | undefined {
  if (!isPlainObject(document)) return 'is no audit policy';
  const { apiVersion, kind, rules } = document;
  if (apiVersion !== 'audit.k8s.io/v1' || kind !== 'Policy')
    return `must be kind Policy of audit.k8s.io/v1, is ${String(kind)} of ${String(apiVersion)}`;
  if (!Array.isArray(rules) || rules.length === 0) return 'loaded illegal policy with 0 rules';
  const stage = badStage(document);
  if (stage !== undefined) return stage;
  for (const [i, rule] of rules.entries()) {
    const problem = ruleProblem(rule);
    if (problem !== undefined) return `rules[${i}]${problem}`;
  }
  return undefined;
}

function ruleProblem(rule: unknown): string | undefined {
  if (!isPlainObject(rule)) return ': must be an object';
  if (!levels.has(rule['level']))
    return rule['level'] === undefined
      ? '.level: Required value'
      : `.level: Unsupported value: ${JSON.stringify(rule['level'])}: supported values: "Metadata", "None", ` +
          '"Request", "RequestResponse"';
  for (const name of ruleLists)
    if (rule[name] !== undefined && rule[name] !== null && !Array.isArray(rule[name]))
      return `.${name}: must be a list`;
  const { nonResourceURLs, resources, namespaces } = rule as unknown as AuditRule;
  if (nonResourceURLs !== undefined && nonResourceURLs !== null) {
    if (nonResourceURLs.length > 0 && ((resources?.length ?? 0) > 0 || (namespaces?.length ?? 0) > 0))
      return '.nonResourceURLs: Invalid value: rules cannot apply to both regular resources and non-resource URLs';
    for (const url of nonResourceURLs) {
      if (url !== '*' && !url.startsWith('/'))
        return (
          `.nonResourceURLs: Invalid value: ${JSON.stringify(url)}: non-resource URL rules must begin with a ` +
          `'/' character`
        );
      if (url !== '*' && url.slice(0, -1).includes('*'))
        return (
          `.nonResourceURLs: Invalid value: ${JSON.stringify(url)}: non-resource URL wildcards '*' must be the ` +
          'final character of the rule'
        );
    }
  }
  return badStage(rule);
}

function badStage(owner: Readonly<Record<string, unknown>>): string | undefined {
  const omitted = owner['omitStages'];
  if (!Array.isArray(omitted)) return undefined;
  const bad = omitted.find((stage) => !stages.has(stage));
  return bad === undefined ? undefined : `.omitStages: Invalid value: ${JSON.stringify(bad)}: invalid stage`;
}
