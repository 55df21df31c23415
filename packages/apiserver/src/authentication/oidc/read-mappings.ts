import {
  append,
  duplicate,
  invalidValue,
  required,
  validateDomainPrefixedPath,
  type FieldError,
  type FieldPath,
} from '@kubechain/apimachinery';
import { compileConfigured, isFieldError, type ConfiguredExpression } from '../../expressions/configured-expression.ts';
import type { ClaimMapping, ConfiguredIssuer } from './configured-issuer.ts';
import { claimsSubject } from './expression-subjects.ts';

interface WrittenMapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

/** How users are made of claims, as it stands in a file. */
export interface WrittenMappings {
  readonly username?: WrittenMapping;
  readonly groups?: WrittenMapping;
  readonly uid?: Omit<WrittenMapping, 'prefix'>;
  readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
}

type Mappings = Pick<ConfiguredIssuer, 'username' | 'groups' | 'uid' | 'extra'>;

const exclusive = "claim and expression can't both be set";

/**
 * Mappings, and what is wrong with them (validateClaimMappings, 1.36).
 * @param emailVerified whether a rule looks at `claims.email_verified` already
 */
export function readMappings(
  { extra = [], groups = {}, uid = {}, username = {} }: WrittenMappings,
  path: FieldPath,
  emailVerified: boolean,
): { readonly mappings: Mappings; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  if ((username.claim ?? '') === '' && (username.expression ?? '') === '')
    errors.push(required(path.child('username'), 'claim or expression is required'));
  const name = readPrefixed(username, path.child('username'), errors);
  const named = readPrefixed(groups, path.child('groups'), errors);
  const id = readUID(uid, path.child('uid'), errors);
  const extras = readExtra(extra, path.child('extra'), errors);
  const selects = (field: string, mapping: ClaimMapping | undefined): boolean =>
    mapping?.kind === 'expression' && mapping.expression.program.selects('claims', field);
  if (
    selects('email', name) &&
    !emailVerified &&
    !selects('email_verified', name) &&
    !extras.some(({ expression }) => expression.program.selects('claims', 'email_verified'))
  )
    errors.push(
      invalidValue(
        path.child('username').child('expression'),
        username.expression,
        'claims.email_verified must be used in claimMappings.username.expression or ' +
          'claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in ' +
          'claimMappings.username.expression',
      ),
    );
  return {
    errors,
    mappings: {
      username: name ?? { kind: 'claim', claim: '', prefix: '' },
      ...(named === undefined ? {} : { groups: named }),
      ...(id === undefined ? {} : { uid: id }),
      extra: extras,
    },
  };
}

function readPrefixed(
  { claim = '', expression = '', prefix }: WrittenMapping,
  path: FieldPath,
  errors: FieldError[],
): ClaimMapping | undefined {
  if (claim === '' && expression === '') return undefined;
  if (claim !== '' && expression !== '') {
    errors.push(invalidValue(path, '', exclusive));
    return undefined;
  }
  if (expression !== '') {
    if (prefix !== undefined)
      errors.push(invalidValue(path.child('prefix'), prefix, 'may not be specified when expression is set'));
    return expressionMapping(expression, path, errors);
  }
  if (prefix === undefined)
    errors.push(
      required(
        path.child('prefix'),
        'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
      ),
    );
  return { kind: 'claim', claim, prefix: prefix ?? '' };
}

function readUID(
  { claim = '', expression = '' }: WrittenMapping,
  path: FieldPath,
  errors: FieldError[],
): ClaimMapping | undefined {
  if (claim !== '' && expression !== '') {
    errors.push(invalidValue(path, '', exclusive));
    return undefined;
  }
  if (expression !== '') return expressionMapping(expression, path, errors);
  return claim === '' ? undefined : { kind: 'claim', claim, prefix: '' };
}

function expressionMapping(source: string, path: FieldPath, errors: FieldError[]): ClaimMapping | undefined {
  const compiled = compileConfigured(source, claimsSubject, path.child('expression'));
  if (!isFieldError(compiled)) return { kind: 'expression', expression: compiled };
  errors.push(compiled);
  return undefined;
}

function readExtra(
  written: NonNullable<WrittenMappings['extra']>,
  root: FieldPath,
  errors: FieldError[],
): readonly { readonly key: string; readonly expression: ConfiguredExpression }[] {
  const extra: { readonly key: string; readonly expression: ConfiguredExpression }[] = [];
  const seen = new Set<string>();
  for (const [i, { key = '', valueExpression = '' }] of written.entries()) {
    const path = root.index(i);
    append(errors, keyErrors(key, path.child('key')));
    if (seen.has(key)) {
      errors.push(duplicate(path.child('key'), key));
      continue;
    }
    seen.add(key);
    if (valueExpression === '') {
      errors.push(required(path.child('valueExpression')));
      continue;
    }
    const compiled = compileConfigured(valueExpression, claimsSubject, path.child('valueExpression'));
    if (isFieldError(compiled)) errors.push(compiled);
    else extra.push({ key, expression: compiled });
  }
  return extra;
}

function keyErrors(key: string, path: FieldPath): readonly FieldError[] {
  const errors = [...validateDomainPrefixedPath(path, key)];
  if (key !== key.toLowerCase()) errors.push(invalidValue(path, key, 'must be lowercase'));
  const domain = key.includes('/') ? (key.split('/', 1)[0] ?? '') : '';
  if (['kubernetes.io', 'k8s.io'].some((reserved) => domain === reserved || domain.endsWith(`.${reserved}`)))
    errors.push(invalidValue(path, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'));
  return errors;
}
