import {
  append,
  duplicate,
  invalidValue,
  parseURL,
  required,
  type FieldError,
  type FieldPath,
} from '@kubechain/apimachinery';
import { certificatesOf } from '../../certificates/certificates-of.ts';
import type { ConfiguredIssuer } from './configured-issuer.ts';
import { readMappings, type WrittenMappings } from './read-mappings.ts';
import { readClaimRules, readUserRules, type WrittenClaimRule, type WrittenUserRule } from './read-rules.ts';

/** An issuer as it stands in a file. */
export interface WrittenIssuer {
  readonly issuer?: {
    readonly url?: string;
    readonly discoveryURL?: string;
    readonly certificateAuthority?: string;
    readonly audiences?: readonly string[];
    readonly audienceMatchPolicy?: string;
    readonly egressSelectorType?: string;
  };
  readonly claimValidationRules?: readonly WrittenClaimRule[];
  readonly claimMappings?: WrittenMappings;
  readonly userValidationRules?: readonly WrittenUserRule[];
}

/** An issuer, and what is wrong with it (validateJWTAuthenticator, 1.36). */
export function readIssuer(
  written: WrittenIssuer,
  path: FieldPath,
  disallowed: readonly string[],
): { readonly issuer: ConfiguredIssuer; readonly errors: readonly FieldError[] } {
  const { claimMappings = {}, claimValidationRules = [], issuer = {}, userValidationRules = [] } = written;
  const { audiences = [], certificateAuthority = '', discoveryURL = '', egressSelectorType: egress, url = '' } = issuer;
  const errors = [...issuerErrors(issuer, path.child('issuer'), disallowed)];
  const claimRules = readClaimRules(claimValidationRules, path.child('claimValidationRules'));
  append(errors, claimRules.errors);
  const mappings = readMappings(claimMappings, path.child('claimMappings'), claimRules.usesEmailVerified);
  append(errors, mappings.errors);
  const userRules = readUserRules(userValidationRules, path.child('userValidationRules'));
  append(errors, userRules.errors);
  return {
    errors,
    issuer: {
      url,
      discoveryURL,
      certificateAuthority,
      ...(egress === 'cluster' || egress === 'controlplane' ? { egress } : {}),
      audiences,
      requiredClaims: claimRules.required,
      claimRules: claimRules.rules,
      ...mappings.mappings,
      userRules: userRules.rules,
    },
  };
}

function issuerErrors(
  issuer: NonNullable<WrittenIssuer['issuer']>,
  path: FieldPath,
  disallowed: readonly string[],
): readonly FieldError[] {
  const { certificateAuthority = '', discoveryURL = '', egressSelectorType = '', url = '' } = issuer;
  const errors: FieldError[] = [];
  if (url === '') errors.push(required(path.child('url')));
  else append(errors, urlErrors(url, path.child('url'), disallowed));
  if (discoveryURL !== '') {
    const field = path.child('discoveryURL');
    if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL))
      errors.push(invalidValue(field, discoveryURL, 'discoveryURL must be different from URL'));
    append(errors, urlErrors(discoveryURL, field, []));
  }
  append(errors, audienceErrors(issuer, path));
  if (certificateAuthority !== '' && certificatesOf(certificateAuthority).length === 0)
    errors.push(
      invalidValue(
        path.child('certificateAuthority'),
        '<omitted>',
        'data does not contain any valid RSA or ECDSA certificates',
      ),
    );
  if (!['', 'controlplane', 'cluster'].includes(egressSelectorType))
    errors.push(
      invalidValue(
        path.child('egressSelectorType'),
        egressSelectorType,
        'egress selector must be either controlplane or cluster',
      ),
    );
  return errors;
}

function urlErrors(text: string, path: FieldPath, disallowed: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (reason: string): void => void errors.push(invalidValue(path, text, reason));
  if (disallowed.includes(text))
    wrong(`URL must not overlap with disallowed issuers: [${[...new Set(disallowed)].sort().join(' ')}]`);
  const url = parseURL(text);
  if (typeof url === 'string') {
    wrong(url);
    return errors;
  }
  if (url.scheme !== 'https') wrong('URL scheme must be https');
  if (url.user !== undefined) wrong('URL must not contain a username or password');
  if (url.rawQuery !== '') wrong('URL must not contain a query');
  if (url.fragment !== '') wrong('URL must not contain a fragment');
  return errors;
}

function audienceErrors(
  { audienceMatchPolicy: policy = '', audiences = [] }: NonNullable<WrittenIssuer['issuer']>,
  issuer: FieldPath,
): readonly FieldError[] {
  const path = issuer.child('audiences');
  if (audiences.length === 0) return [required(path, `at least one ${path.toString()} is required`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, audience] of audiences.entries()) {
    if (audience === '') errors.push(required(path.index(i)));
    if (seen.has(audience)) errors.push(duplicate(path.index(i), audience));
    seen.add(audience);
  }
  const policyPath = issuer.child('audienceMatchPolicy');
  if (audiences.length > 1 && policy !== 'MatchAny')
    errors.push(invalidValue(policyPath, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny')
    errors.push(invalidValue(policyPath, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'));
  return errors;
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
