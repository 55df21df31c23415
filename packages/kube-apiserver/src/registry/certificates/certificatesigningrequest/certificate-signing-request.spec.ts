import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from '@kubechain/apimachinery/types/certificates/v1';
import { Reinvocation, internalContext, plainObjects } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, Authorizer } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import {
  CertificateApproval,
  CertificateSigning,
  CertificateSubjectRestriction,
} from '../../../admission/certificates.ts';
import { organizationsOf, parseCertificateRequest } from './certificate-request.ts';
import {
  certificateSigningRequestApprovalStrategy,
  certificateSigningRequestStatusStrategy,
  certificateSigningRequestStrategy,
} from './strategy.ts';

const context = internalContext({
  groupResource: { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' },
});
const clock = { now: () => Date.UTC(2026, 0, 2) };
const at = '2026-01-02T00:00:00Z';
const encode = (text: string): string => Buffer.from(text).toString('base64');
const signer = 'example.test/signer';

async function requestFor(
  name: string,
  algorithm: webcrypto.EcKeyGenParams | webcrypto.Algorithm = { name: 'ECDSA', namedCurve: 'P-256' },
): Promise<string> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: { name: algorithm.name, hash: 'SHA-256' },
  });
  return encode(request.toString('pem'));
}

describe('CertificateSigningRequests', () => {
  let good: string;
  before(async () => {
    good = await requestFor('O=dev, CN=alice');
  });

  const objectOf = (
    spec: Partial<CertificateSigningRequestSpec>,
    status: CertificateSigningRequest['status'] = {},
  ): CertificateSigningRequest => ({
    metadata: { name: 'x' },
    spec: { request: good, signerName: signer, usages: ['client auth'], ...spec },
    status,
  });
  const created = async (spec: Partial<CertificateSigningRequestSpec>): Promise<string[]> =>
    texts(await certificateSigningRequestStrategy.validate?.(objectOf(spec), context));

  it('reads the subject and checks the signature', async () => {
    expect(organizationsOf(await parseCertificateRequest(good))).to.deep.equal(['dev']);
    expect(await created({})).to.deep.equal([]);
    expect(await created({ request: await requestFor('CN=b', { name: 'Ed25519' }) })).to.deep.equal([]);
  });

  it('refuses a request that its key has not signed', async () => {
    const lines = Buffer.from(good, 'base64').toString().split('\n');
    const body = Buffer.from(lines.filter((line) => !line.startsWith('-----')).join(''), 'base64');
    // A letter of the subject.
    body[body.indexOf('alice')] = 'm'.charCodeAt(0);
    const [error = ''] = await created({
      request: encode(
        `-----BEGIN CERTIFICATE REQUEST-----\n${body.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
      ),
    });
    expect(error).to.match(/^spec\.request: Invalid value: ".*": x509: ECDSA verification failure$/);
  });

  const rows: readonly (readonly [name: string, spec: Partial<CertificateSigningRequestSpec>, error: string])[] = [
    [
      'no PEM',
      { request: encode('hello') },
      'spec.request: Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST',
    ],
    [
      'an empty request',
      { request: '' },
      'spec.request: Invalid value: "": PEM block type must be CERTIFICATE REQUEST',
    ],
    ['no usages', { usages: [] }, 'spec.usages: Required value'],
    ['a usage twice', { usages: ['any', 'any'] }, 'spec.usages[1]: Duplicate value: "any"'],
    ['no signer', { signerName: '' }, 'spec.signerName: Required value'],
    [
      'a signer without a domain',
      { signerName: 'signer' },
      'spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form ' +
        "'example.com/signer-name'",
    ],
    [
      'the signer of old',
      { signerName: 'kubernetes.io/legacy-unknown' },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed ' +
        'via this API version',
    ],
    [
      'too short a time',
      { expirationSeconds: 599 },
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  ];
  for (const [name, spec, error] of rows)
    it(`refuses ${name}`, async () => {
      expect(await created(spec)).to.deep.equal([error]);
    });

  const approved: CertificateSigningRequestCondition = { type: 'Approved', status: 'True', reason: 'ok' };
  const stored = { ...approved, lastUpdateTime: '2025-01-01T00:00:00Z', lastTransitionTime: '2025-01-01T00:00:00Z' };

  it('approves, with the time, and changes nothing else', async () => {
    const strategy = certificateSigningRequestApprovalStrategy(clock);
    const now = objectOf({ signerName: 'other.test/x' }, { conditions: [approved], certificate: 'eA==' });
    await strategy.prepareForUpdate?.(now, objectOf({}), context);
    expect(now).to.deep.include({
      spec: objectOf({}).spec,
      status: { conditions: [{ ...approved, lastUpdateTime: at, lastTransitionTime: at }] },
    });
    expect(texts(await strategy.validateUpdate?.(now, objectOf({}), context))).to.deep.equal([]);
  });

  it('takes no approval back, and does not deny what is approved', async () => {
    const strategy = certificateSigningRequestApprovalStrategy(clock);
    const old = objectOf({}, { conditions: [stored] });
    expect(texts(await strategy.validateUpdate?.(objectOf({}), old, context))).to.deep.equal([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
    expect(
      texts(
        await strategy.validateUpdate?.(
          objectOf({}, { conditions: [stored, { type: 'Denied', status: 'True' }] }),
          old,
          context,
        ),
      ),
    ).to.deep.equal([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
    expect(
      texts(
        await strategy.validateUpdate?.(objectOf({}, { conditions: [{ ...stored, status: 'False' }] }), old, context),
      ),
    ).to.deep.equal(['status.conditions[0].status: Unsupported value: "False": supported values: "True"']);
  });

  it('lets signers set a certificate once, and leave approval alone', async () => {
    const strategy = certificateSigningRequestStatusStrategy(clock);
    const old = objectOf({}, { conditions: [stored] });
    const now = objectOf({}, { conditions: [{ ...approved, reason: 'changed' }] });
    await strategy.prepareForUpdate?.(now, old, context);
    expect(now.status).to.deep.equal({ conditions: [stored] });
    const errors = async (certificate: string, before?: string): Promise<string[]> =>
      texts(
        await strategy.validateUpdate?.(
          objectOf({}, { conditions: [stored], certificate }),
          objectOf({}, { conditions: [stored], ...(before === undefined ? {} : { certificate: before }) }),
          context,
        ),
      );
    expect(await errors(encode('none'))).to.deep.equal([
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ]);
    expect(await errors(encode('none'), encode('before'))).to.deep.equal([
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
    expect(
      texts(
        await strategy.validateUpdate?.(
          objectOf({}, { conditions: [stored, approved] }),
          objectOf({}, { conditions: [stored] }),
          context,
        ),
      ),
    ).to.include('status.conditions: Forbidden: updates may not add a condition of type "Approved"');
  });

  describe('admission', () => {
    const signerOf = (allowed: string, verb: string): Authorizer => ({
      authorize: (asked) => ({
        decision: asked.resource === 'signers' && asked.name === allowed && asked.verb === verb ? 'Allow' : 'NoOpinion',
        reason: '',
      }),
    });
    const attributes = (
      object: KubeObject,
      oldObject: KubeObject | undefined,
      subresource: string,
    ): AdmissionAttributes => ({
      operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
      kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
      resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
      subresource,
      namespace: '',
      name: 'x',
      object,
      oldObject,
      options: undefined,
      dryRun: false,
      auditID: '',
      user: { name: 'u', groups: [] },
      objects: plainObjects,
      reinvocation: new Reinvocation(),
      addWarning: () => undefined,
      addAuditAnnotation: () => undefined,
      signal: new AbortController().signal,
    });
    const outcome = async (pending: void | Promise<void>): Promise<string> => {
      try {
        await pending;
        return 'allowed';
      } catch (error) {
        return (error as Error).message;
      }
    };

    it('asks whether the user may approve for the signer, or for its domain', async () => {
      const approval = attributes(objectOf({}), objectOf({}), 'approval');
      expect(await outcome(new CertificateApproval(signerOf(signer, 'approve')).validate(approval))).to.equal(
        'allowed',
      );
      expect(await outcome(new CertificateApproval(signerOf('example.test/*', 'approve')).validate(approval))).to.equal(
        'allowed',
      );
      expect(await outcome(new CertificateApproval(signerOf('other.test/*', 'approve')).validate(approval))).to.equal(
        'certificatesigningrequests.certificates.k8s.io "x" is forbidden: user not permitted to approve ' +
          'requests with signerName "example.test/signer"',
      );
    });

    it('asks whether the user may sign when certificate or conditions change', async () => {
      const none = new CertificateSigning(signerOf('', ''));
      expect(await outcome(none.validate(attributes(objectOf({}), objectOf({}), 'status')))).to.equal('allowed');
      expect(
        await outcome(none.validate(attributes(objectOf({}, { certificate: 'eA==' }), objectOf({}), 'status'))),
      ).to.equal(
        'certificatesigningrequests.certificates.k8s.io "x" is forbidden: user not permitted to sign requests ' +
          'with signerName "example.test/signer"',
      );
      expect(
        await outcome(
          new CertificateSigning(signerOf(signer, 'sign')).validate(
            attributes(objectOf({}, { certificate: 'eA==' }), objectOf({}), 'status'),
          ),
        ),
      ).to.equal('allowed');
    });

    it('lets nobody ask to be a master', async () => {
      const restriction = new CertificateSubjectRestriction();
      const request = await requestFor('O=system:masters, CN=eve');
      expect(await outcome(restriction.validate(attributes(objectOf({ request }), undefined, '')))).to.equal('allowed');
      expect(
        await outcome(
          restriction.validate(
            attributes(objectOf({ request, signerName: 'kubernetes.io/kube-apiserver-client' }), undefined, ''),
          ),
        ),
      ).to.equal(
        'certificatesigningrequests.certificates.k8s.io "x" is forbidden: use of ' +
          'kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
      );
    });
  });
});

function texts(errors: readonly FieldError[] = []): string[] {
  return errors.map(String);
}
