import { duplicate, invalidValue, required, type FieldError, type FieldPath } from '@kubechain/apimachinery';
import { compileConfigured, isFieldError } from '../../expressions/configured-expression.ts';
import type { ConfiguredIssuer, ValidationRule } from './configured-issuer.ts';
import { claimRuleSubject, userRuleSubject } from './expression-subjects.ts';

/** What has to be true of claims, as it stands in a file. */
export interface WrittenClaimRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

/** The same of users. */
export interface WrittenUserRule {
  readonly expression?: string;
  readonly message?: string;
}

export interface ReadClaimRules {
  readonly required: ConfiguredIssuer['requiredClaims'];
  readonly rules: readonly ValidationRule[];
  /** Whether some rule looks at `claims.email_verified`. */
  readonly usesEmailVerified: boolean;
  readonly errors: readonly FieldError[];
}

/** Rules, and what is wrong with them (validateClaimValidationRules, 1.36). */
export function readClaimRules(written: readonly WrittenClaimRule[], root: FieldPath): ReadClaimRules {
  const errors: FieldError[] = [];
  const wanted = new Map<string, string>();
  const rules: ValidationRule[] = [];
  const seen = new Set<string>();
  for (const [i, { claim = '', expression = '', message = '', requiredValue = '' }] of written.entries()) {
    const path = root.index(i);
    if (claim !== '' && expression !== '')
      errors.push(invalidValue(path, claim, "claim and expression can't both be set"));
    else if (claim !== '') {
      if (message !== '')
        errors.push(invalidValue(path.child('message'), message, 'may not be specified when claim is set'));
      if (wanted.has(claim)) errors.push(duplicate(path.child('claim'), claim));
      wanted.set(claim, requiredValue);
    } else if (expression === '') errors.push(required(path, 'claim or expression is required'));
    else {
      if (requiredValue !== '')
        errors.push(
          invalidValue(path.child('requiredValue'), requiredValue, 'may not be specified when expression is set'),
        );
      const rule = readRule(
        { expression, message },
        { path: path.child('expression'), seen, subject: claimRuleSubject },
      );
      if ('rule' in rule) rules.push(rule.rule);
      else errors.push(rule.error);
    }
  }
  return {
    required: [...wanted].map(([claim, value]) => ({ claim, value })),
    rules,
    usesEmailVerified: rules.some(({ expression }) => expression.program.selects('claims', 'email_verified')),
    errors,
  };
}

/** Rules, and what is wrong with them (validateUserValidationRules, 1.36). */
export function readUserRules(
  written: readonly WrittenUserRule[],
  root: FieldPath,
): { readonly rules: readonly ValidationRule[]; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const rules: ValidationRule[] = [];
  const seen = new Set<string>();
  for (const [i, { expression = '', message = '' }] of written.entries()) {
    const path = root.index(i).child('expression');
    if (expression === '') {
      errors.push(required(path));
      continue;
    }
    const rule = readRule({ expression, message }, { path, seen, subject: userRuleSubject });
    if ('rule' in rule) rules.push(rule.rule);
    else errors.push(rule.error);
  }
  return { rules, errors };
}

function readRule(
  { expression, message }: { readonly expression: string; readonly message: string },
  {
    path,
    seen,
    subject,
  }: {
    readonly path: FieldPath;
    readonly seen: Set<string>;
    readonly subject: Parameters<typeof compileConfigured>[1];
  },
): { readonly rule: ValidationRule } | { readonly error: FieldError } {
  if (seen.has(expression)) return { error: duplicate(path, expression) };
  seen.add(expression);
  const compiled = compileConfigured(expression, subject, path);
  return isFieldError(compiled) ? { error: compiled } : { rule: { expression: compiled, message } };
}
