import {
  append,
  duplicate,
  invalidValue,
  messageOf,
  notSupported,
  parseDuration,
  required,
  tooMany,
  type FieldError,
  type FieldPath,
} from '@kubechain/apimachinery';
import { statSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import { compileConfigured, isFieldError, type ConfiguredExpression } from '../../expressions/configured-expression.ts';
import type { ConfiguredWebhook } from './configured-authorizer.ts';
import { requestSubject } from './match-conditions.ts';

/** A webhook as it stands in a file; durations are Go's. */
export interface WrittenWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

const maxTimeoutMs = 30_000;
const maxConditions = 64;
const defaults = { authorizedTTL: '5m0s', unauthorizedTTL: '30s' };

/** What stands in a file with defaults, and what is wrong with it (ValidateWebhookConfiguration, 1.36). */
export function readWebhook(
  written: WrittenWebhook,
  path: FieldPath,
): { readonly webhook: ConfiguredWebhook; readonly errors: readonly FieldError[] } {
  const { connectionInfo = {}, failurePolicy = '', subjectAccessReviewVersion: version = '' } = written;
  const { matchConditions = [], matchConditionSubjectAccessReviewVersion: conditionVersion = '' } = written;
  const errors: FieldError[] = [];
  const { timeout = '0s' } = written;
  const timeoutMs = milliseconds(timeout);
  if (timeoutMs === 0) errors.push(required(path.child('timeout')));
  else if (timeoutMs > maxTimeoutMs || timeoutMs < 0)
    errors.push(invalidValue(path.child('timeout'), timeout, 'must be > 0s and <= 30s'));
  const ttl = (name: 'authorizedTTL' | 'unauthorizedTTL', kept = true): number => {
    const given = written[name] ?? '0s';
    const ttlMs = milliseconds(milliseconds(given) === 0 ? defaults[name] : given);
    if (ttlMs < 0) errors.push(invalidValue(path.child(name), given, 'must be > 0s'));
    return kept ? ttlMs : 0;
  };
  const allowedTTLMs = ttl('authorizedTTL', written.cacheAuthorizedRequests);
  const refusedTTLMs = ttl('unauthorizedTTL', written.cacheUnauthorizedRequests);
  const oneOf = (field: string, value: string, supported: readonly string[]): void => {
    if (value === '') errors.push(required(path.child(field)));
    else if (!supported.includes(value))
      errors.push(notSupported(path.child(field), value, supported, { plain: true }));
  };
  oneOf('subjectAccessReviewVersion', version, ['v1', 'v1beta1']);
  const conditionField = path.child('matchConditionSubjectAccessReviewVersion');
  if (conditionVersion === '' && matchConditions.length > 0)
    errors.push(required(conditionField, 'required if match conditions are specified'));
  else if (conditionVersion !== '' && conditionVersion !== 'v1')
    errors.push(notSupported(conditionField, conditionVersion, ['v1'], { plain: true }));
  oneOf('failurePolicy', failurePolicy, ['NoOpinion', 'Deny']);
  append(errors, connectionErrors(connectionInfo, path.child('connectionInfo')));
  const conditions = readConditions(matchConditions, path.child('matchConditions'));
  append(errors, conditions.errors);
  return {
    errors,
    webhook: {
      kubeConfigFile: connectionInfo.kubeConfigFile ?? '',
      version: version as ConfiguredWebhook['version'],
      timeoutMs,
      allowedTTLMs,
      refusedTTLMs,
      failurePolicy: failurePolicy as ConfiguredWebhook['failurePolicy'],
      conditions: conditions.expressions,
    },
  };
}

function connectionErrors(
  { kubeConfigFile, type = '' }: NonNullable<WrittenWebhook['connectionInfo']>,
  path: FieldPath,
): readonly FieldError[] {
  const file = path.child('kubeConfigFile');
  switch (type) {
    case '':
      return [required(path.child('type'))];
    case 'InClusterConfig':
      return kubeConfigFile === undefined
        ? // It would ask this server itself.
          [invalidValue(path.child('type'), type, 'is not allowed for kube-apiserver')]
        : [invalidValue(file, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    case 'KubeConfigFile':
      return fileErrors(kubeConfigFile ?? '', file);
    default:
      return [
        notSupported(path.child('type'), { Type: type, KubeConfigFile: kubeConfigFile ?? null }, [
          'InClusterConfig',
          'KubeConfigFile',
        ]),
      ];
  }
}

function fileErrors(path: string, field: FieldPath): readonly FieldError[] {
  if (path === '') return [required(field)];
  if (!isAbsolute(path)) return [invalidValue(field, path, 'must be an absolute path')];
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : undefined;
    return [invalidValue(field, path, `error loading file: stat ${path}: ${reason ?? messageOf(error)}`)];
  }
  return stats.isFile() ? [] : [invalidValue(field, path, 'must be a regular file')];
}

function readConditions(
  written: NonNullable<WrittenWebhook['matchConditions']>,
  path: FieldPath,
): { readonly expressions: readonly ConfiguredExpression[]; readonly errors: readonly FieldError[] } {
  if (written.length > maxConditions)
    return { expressions: [], errors: [tooMany(path, written.length, maxConditions)] };
  const expressions: ConfiguredExpression[] = [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { expression = '' }] of written.entries()) {
    const field = path.index(i).child('expression');
    if (expression.trim() === '') {
      errors.push(required(field));
      continue;
    }
    if (seen.has(expression)) {
      errors.push(duplicate(field, expression));
      continue;
    }
    seen.add(expression);
    const compiled = compileConfigured(expression, requestSubject, field);
    if (isFieldError(compiled)) errors.push(compiled);
    else expressions.push(compiled);
  }
  return { expressions, errors };
}

function milliseconds(duration: string): number {
  return Number(parseDuration(duration)) / 1e6;
}
