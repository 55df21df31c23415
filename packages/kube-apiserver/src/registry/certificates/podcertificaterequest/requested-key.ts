import { FieldPath, invalidOmitted, invalidValue, isFormatError, tooLong } from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { constants, createPublicKey, verify } from 'node:crypto';
import type { KeyObject, VerifyKeyObjectInput } from 'node:crypto';
import { certificateRequestOf, checkSignature } from '../certificatesigningrequest/certificate-request.ts';
import type { PodCertificateRequest } from './request.ts';

type Spec = NonNullable<PodCertificateRequest['spec']>;

/** A key, or what is wrong with it. */
interface Reading {
  readonly key?: KeyObject;
  readonly errors: readonly FieldError[];
}

const specPath = FieldPath.of('spec');
const keyPath = specPath.child('pkixPublicKey');
const proofPath = specPath.child('proofOfPossession');
const requestPath = specPath.child('stubPKCS10Request');
/** In bytes, of a request, a key and a proof each. */
const maxBytes = 10 * 1024;
const unknownKey = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA';
/** Go's names of the curves that it knows, by OpenSSL's. */
const curves: Readonly<Record<string, string>> = {
  secp224r1: 'P-224',
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
};
const goodCurves: ReadonlySet<string> = new Set(['P-256', 'P-384', 'P-521']);
const goodModuli: ReadonlySet<number> = new Set([3072, 4096]);

/**
 * The key that the certificate is to be for, of which whoever asks must have the private part
 * (validateStubPKCS10Request and validateDeprecatedPKIXPublicKey of pkg/apis/certificates/validation, 1.37). Up to 1.35
 * there was one way only.
 */
export async function requestedKey(spec: Spec, release: ReleaseAge): Promise<Reading> {
  if (!release.since('1.36')) return provenKey(spec);
  // Stored objects have null for what is not there.
  const [key, proof, request] = [spec.pkixPublicKey, spec.proofOfPossession, spec.stubPKCS10Request].map(
    (text) => text ?? '',
  );
  if (request && !key && !proof) return keyOfRequest(Buffer.from(request, 'base64'));
  if (!request && key && proof) return provenKey(spec);
  return wrong(
    invalidOmitted(specPath, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'),
  );
}

function wrong(...errors: readonly FieldError[]): Reading {
  return { errors };
}

async function keyOfRequest(der: Buffer): Promise<Reading> {
  if (der.length > maxBytes) return wrong(tooLong(requestPath, maxBytes));
  let request: Awaited<ReturnType<typeof certificateRequestOf>>;
  try {
    request = await certificateRequestOf(der);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return wrong(invalidOmitted(requestPath, 'must be a valid PKCS#10 CSR'));
  }
  const key = publicKeyOf(Buffer.from(request.publicKey.rawData));
  if (key === undefined) return wrong(invalidOmitted(requestPath, unknownKey));
  const problem = keyProblem(key);
  if (problem !== undefined)
    return wrong(
      invalidValue(
        requestPath,
        problem.value,
        problem.detail ?? 'elliptic public keys must use curve P256, P384, or P521',
      ),
    );
  try {
    await checkSignature(request);
  } catch (error) {
    if (!isFormatError(error)) throw error;
    return wrong(invalidOmitted(requestPath, 'invalid signature'));
  }
  return { key, errors: [] };
}

function provenKey({ pkixPublicKey, podUID = '', proofOfPossession }: Spec): Reading {
  const der = Buffer.from(pkixPublicKey ?? '', 'base64');
  const proof = Buffer.from(proofOfPossession ?? '', 'base64');
  if (der.length > maxBytes) return wrong(tooLong(keyPath, maxBytes));
  if (proof.length > maxBytes) return wrong(tooLong(proofPath, maxBytes));
  const key = publicKeyOf(der);
  if (key === undefined)
    return wrong(invalidValue(keyPath, pkixPublicKey, 'must be a valid PKIX-serialized public key'));
  if (kindOf(key) === undefined) return wrong(invalidValue(keyPath, pkixPublicKey, unknownKey));
  const problem = keyProblem(key);
  if (problem !== undefined)
    return wrong(
      invalidValue(keyPath, problem.value, problem.detail ?? 'elliptic public keys must use curve P256 or P384'),
    );
  return isProof(key, podUID, proof)
    ? { key, errors: [] }
    : wrong(invalidOmitted(proofPath, 'could not verify proof-of-possession signature'));
}

/** The key of a SubjectPublicKeyInfo; undefined for what is none. */
function publicKeyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function kindOf({ asymmetricKeyType }: KeyObject): 'ed25519' | 'ec' | 'rsa' | undefined {
  return asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'ec' || asymmetricKeyType === 'rsa'
    ? asymmetricKeyType
    : undefined;
}

/** What is wrong with the strength of a key; `detail` is absent for curves, which two fields speak of differently. */
function keyProblem(key: KeyObject): { readonly value: string; readonly detail?: string } | undefined {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  switch (kindOf(key)) {
    case 'ec': {
      const curve = curves[namedCurve] ?? namedCurve;
      return goodCurves.has(curve) ? undefined : { value: `curve ${curve}` };
    }
    case 'rsa': {
      const bits = Math.ceil(modulusLength / 8) * 8;
      return goodModuli.has(bits)
        ? undefined
        : { value: `${bits}-bit modulus`, detail: 'RSA keys must have modulus size 3072 or 4096' };
    }
    default:
      return undefined;
  }
}

function isProof(key: KeyObject, podUID: string, proof: Buffer): boolean {
  const padding: Partial<VerifyKeyObjectInput> =
    kindOf(key) === 'rsa'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
      : {};
  try {
    return verify(kindOf(key) === 'ed25519' ? null : 'sha256', Buffer.from(podUID), { key, ...padding }, proof);
  } catch {
    return false;
  }
}
