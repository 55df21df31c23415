import {
  append,
  duplicate,
  FieldPath,
  forbiddenValue,
  goQuote,
  invalidValue,
  isFormatError,
  notSupported,
  repeats,
  required,
} from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@kubechain/apimachinery/types/certificates/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { parseCertificates, pemBlocks } from '@kubechain/apiserver/certificates';
import { validateSignerName } from '../signer-name.ts';
import { checkSignature, parseCertificateRequest } from './certificate-request.ts';

/** What an endpoint may change; what is wrong already in the stored object is let through in any case. */
export interface CertificateRequestEndpoint {
  readonly approves: boolean;
  readonly signs: boolean;
}

const usages: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const legacySigner = 'kubernetes.io/legacy-unknown';
const shortestSeconds = 600;
const decisions: readonly string[] = ['Approved', 'Denied'];
/** Conditions that are never taken back, and are only ever true. */
const final: readonly string[] = [...decisions, 'Failed'];
const conditionsPath = FieldPath.of('status').child('conditions');
const certificatePath = FieldPath.of('status').child('certificate');

/** The hooks of a strategy with the rules of requests (pkg/apis/certificates/validation, 1.36). */
export function certificateRequestRules(
  endpoint: CertificateRequestEndpoint,
): Pick<Strategy, 'validate' | 'validateUpdate'> {
  return {
    validate: (object) => validate(object as CertificateSigningRequest, undefined),
    async validateUpdate(object: KubeObject, before: KubeObject) {
      const request = object as CertificateSigningRequest;
      const old = before as CertificateSigningRequest;
      return [...(await validate(request, old)), ...validateChange(request, old, endpoint)];
    },
  };
}

/** What was stored without today's rules may have no spec. */
type Written = Pick<CertificateSigningRequest, 'status'> & {
  readonly spec?: Partial<CertificateSigningRequest['spec']>;
};

async function validate({ spec = {}, status = {} }: Written, old: Written | undefined): Promise<FieldError[]> {
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  try {
    await checkSignature(await parseCertificateRequest(spec.request ?? ''));
  } catch (error) {
    if (!isFormatError(error)) throw error;
    errors.push(invalidValue(path.child('request'), spec.request === undefined ? null : spec.request, error.message));
  }
  append(errors, validateUsages(spec.usages ?? [], old?.spec?.usages, path.child('usages')));
  const signer = spec.signerName ?? '';
  if (signer === legacySigner && old?.spec?.signerName !== legacySigner)
    errors.push(
      invalidValue(path.child('signerName'), signer, 'the legacy signerName is not allowed via this API version'),
    );
  else append(errors, validateSignerName(path.child('signerName'), signer));
  const { expirationSeconds } = spec;
  if (expirationSeconds !== undefined && expirationSeconds < shortestSeconds)
    errors.push(
      invalidValue(
        path.child('expirationSeconds'),
        expirationSeconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    );
  append(errors, validateConditions(status.conditions ?? [], old?.status?.conditions ?? []));
  const problem = certificateProblem(status.certificate ?? '');
  const wasBroken = old !== undefined && certificateProblem(old.status?.certificate ?? '') !== undefined;
  if (problem !== undefined && !wasBroken) errors.push(invalidValue(certificatePath, '<certificate data>', problem));
  return errors;
}

function validateUsages(
  asked: readonly string[],
  before: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = asked.length === 0 ? [required(path)] : [];
  if (before?.some((usage) => !usages.includes(usage)) !== true)
    asked.forEach((usage, i) => {
      if (!usages.includes(usage)) errors.push(notSupported(path.index(i), usage, usages));
    });
  if (before === undefined || new Set(before).size === before.length)
    repeats(asked).forEach((repeated, i) => {
      if (repeated) errors.push(duplicate(path.index(i), asked[i]));
    });
  return errors;
}

function validateConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  before: readonly CertificateSigningRequestCondition[],
): FieldError[] {
  const known = new Set(before.map(({ type }) => type || ''));
  const allowsUnnamed = known.has('');
  const allowsTwice = known.size < before.length;
  const allowsBoth = decisions.every((type) => known.has(type));
  const earlier = new Set<string>();
  return conditions.flatMap(({ type = '', status = '' }: { type?: string; status?: string }, i) => {
    const errors: FieldError[] = [];
    const path = conditionsPath.index(i);
    if (type === '' && !allowsUnnamed) errors.push(required(path.child('type')));
    const allowed = final.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') errors.push(required(path.child('status')));
    else if (!allowed.includes(status)) errors.push(notSupported(path.child('status'), status, allowed));
    if (!allowsBoth && decisions.includes(type) && decisions.some((other) => other !== type && earlier.has(other)))
      errors.push(invalidValue(conditionsPath, type, 'Approved and Denied conditions are mutually exclusive'));
    if (!allowsTwice && earlier.has(type)) errors.push(duplicate(path.child('type'), type));
    earlier.add(type);
    return errors;
  });
}

function validateChange(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  endpoint: CertificateRequestEndpoint,
): FieldError[] {
  const errors: FieldError[] = [];
  const count = ({ status }: CertificateSigningRequest, type: string): number =>
    (status?.conditions ?? []).filter((condition) => condition.type === type).length;
  for (const type of final)
    if (count(request, type) < count(old, type))
      errors.push(forbiddenValue(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`));
  if (!endpoint.approves) {
    for (const type of decisions)
      if (count(request, type) > count(old, type))
        errors.push(forbiddenValue(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`));
  }
  const certificate = request.status?.certificate ?? '';
  const before = old.status?.certificate ?? '';
  if (certificate !== before) {
    if (!endpoint.signs) errors.push(forbiddenValue(certificatePath, 'updates may not set certificate content'));
    else if (before !== '')
      errors.push(forbiddenValue(certificatePath, 'updates may not modify existing certificate content'));
  }
  return errors;
}

/** What is wrong with a certificate chain, base64 of PEM; undefined: nothing, or no chain. */
function certificateProblem(encoded: string): string | undefined {
  if (encoded === '') return undefined;
  let blocks = 0;
  for (const { type, hasHeaders, bytes } of pemBlocks(Buffer.from(encoded, 'base64'))) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    try {
      if (parseCertificates(bytes).length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    } catch {
      return 'x509: malformed certificate';
    }
    blocks++;
  }
  return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
