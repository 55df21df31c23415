import type { Step } from '../wire-details/step.ts';

/** Requests in DER, by what their keys are. */
const ed25519 = [
  'MH8wMwIBADAAMCowBQYDK2VwAyEA6yHnyDhAS1pxfCE8y65RiVfQQ9JidM0ck/V0CNrSdZKgADAFBgMrZXADQQB6nE/T7yALtd+R',
  'Ik4SDhopRrXGagQi3YkbHPnfwKao+YRwEepPQtohfKHTatvgD/q2fxQWP1GIHtEq2tHpwpQI',
].join('');
/** The same on P-256. */
const p256 = [
  'MIG6MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABO8YoNw3i+1Rrv/XHL73ixiKxGTUvuOGMHjdpOimEclcBkwLwDTh',
  '/2cW7eKdFX5n2cSGlamO5gpsQZa3pqFMSEGgADAKBggqhkjOPQQDAgNIADBFAiBDQLBGFQmuI9OhvwN4fcqr/coTN9/QWEgubwPY',
  'zgTBqQIhALwBRELVPhGs3P5Jl2++m557RYjOBNVNmXjIh9t2eMmi',
].join('');
/** On a curve that is too short. */
const p224 = [
  'MIGnMFcCAQAwADBOMBAGByqGSM49AgEGBSuBBAAhAzoABA1S5az8SHcZqxSaGwd9ASQ2t1YAnzwGEVBx25U0xH2Ouwq+AW+t7+mK',
  '74Ad5RzVN4p0ApFmfrHaoAAwCgYIKoZIzj0EAwIDQAAwPQIcCcIc7NRwMgwxXRLYGNQdENiQMCblsxNtbsxu8gIdAKvSy1jZMD0v',
  'HAxkDtJc7EhcOxdiBtnCspIGWlg=',
].join('');
/** With a modulus that is too short. */
const rsa2048 = [
  'MIICRTCCAS0CAQAwADCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKz+xT61MXGHELpYzNmZ6b4faJQf3V5cC3rpKa7I',
  'WhxfKkG5Af1bvVff9yFTcT9VdE5m5dMxiQpcDFPYtjtFBmL1siqsf548DuPdMh/NU7Bli737eCDJoQW7SLVeeUAgOlVBjdxHLct9',
  'L1xo4x2ZrdYlWUQesDZsiGOLdpORfQ4SlGaBMbJ5/LDNlkPSHAlzS1pS0ZOUPU4VeaWpQvxjcRM94VMpA1I81nUXmeGg6g02sTr4',
  'rBZgdLBs6a31y3+ogJHqgPxJK8XCzlMVzDMI2lH2R7neWQKUJWbxSgFm37D+YtbOZH3rFcg+KPvnFKuHq+KyhBpyyypdVxK9n+oQ',
  'ARECAwEAAaAAMA0GCSqGSIb3DQEBCwUAA4IBAQBZFXWBdk2v5taEZTTciybOOfgsImFegFZq9pvPq6Qqngs+qJh+4q8vcfgUhn72',
  '4CqPY/jSKMXbcoY5dMfhQBIUtM2659g+DR9xYgWltO7zStgAtJMiXIdJBOT+UrgRgw9QNfvu/TJnTif0+3ezjeizkYs4SAHr7XiR',
  '0fJHvPjcrtFfHm1OdPomlYesR+p2gQD+RIDU49JbyOWzLXKBRZpOlYRILgkHs1x1GVys/+wbOnZBHgd+lQZ8t+HxpA0pTqtcZBev',
  'nCnmS+zrJBEey1ok2JplHqx0lot97EHvXFQD6XfFCB5PNwgnFWt2HdxXTbPtcmJnbs3szeSGyK83nS3v',
].join('');
/** With a signature of something else. */
const forged = [
  'MH8wMwIBADAAMCowBQYDK2VwAyEA6yHnyDhAS1pxfCE8y65RiVfQQ9JidM0ck/V0CNrSdZKgADAFBgMrZXADQQB6nE/T7yALtd+R',
  'Ik4SDhopRrXGagQi3YkbHPnfwKao+YRwEepPQtohfKHTatvgD/q2fxQWP1GIHtEq2tHpwpQJ',
].join('');
/** For the key on P-256, and long over. */
const issued = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBcTCCARegAwIBAgIUOTVtIC5rSpaV6z8k3HluMyV+t5wwCgYIKoZIzj0EAwIw',
  'DjEMMAoGA1UEAwwDcG9kMB4XDTI2MTEyNzEwMjYxMVoXDTI2MTEyODEwMjYxMVow',
  'DjEMMAoGA1UEAwwDcG9kMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7xig3DeL',
  '7VGu/9ccvveLGIrEZNS+44YweN2k6KYRyVwGTAvANOH/Zxbt4p0VfmfZxIaVqY7m',
  'CmxBlremoUxIQaNTMFEwHQYDVR0OBBYEFOldccvaxcSeT/TvuKJ+F3agycW8MB8G',
  'A1UdIwQYMBaAFOldccvaxcSeT/TvuKJ+F3agycW8MA8GA1UdEwEB/wQFMAMBAf8w',
  'CgYIKoZIzj0EAwIDSAAwRQIhAMNp2bvczUApVkwJ4WdFTm5S9EwlS0iisONyXHk7',
  'ioBwAiBjTvUZQhE4iZIhGtLuhiADghrWpjNnEOGSEr4tueB8hA==',
  '-----END CERTIFICATE-----',
  '',
].join('\n');
const notAfter = '2026-11-28T10:26:11Z';

const namespace = '/apis/certificates.k8s.io/v1/namespaces/default';
const requests = `${namespace}/podcertificaterequests`;
const pods = '/api/v1/namespaces/default/pods?dryRun=All';

/** Of a request that is taken. */
export const requestSpec = {
  signerName: 'example.com/signer',
  podName: 'pod',
  podUID: 'pod-uid',
  serviceAccountName: 'default',
  serviceAccountUID: 'account-uid',
  nodeName: 'node',
  nodeUID: 'node-uid',
  stubPKCS10Request: ed25519,
} as const;

const request = (name: string, spec: object = {}): Step => ({
  method: 'POST',
  path: requests,
  body: {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'PodCertificateRequest',
    metadata: { name },
    spec: { ...requestSpec, ...spec },
  },
});
const patch = (path: string, body: object): Step => ({ method: 'PATCH', path, body });
const condition = (type: string, status = 'True'): object => ({
  type,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const status = (name: string, fields: object): Step => patch(`${requests}/${name}/status`, { status: fields });
const projecting = (...sources: readonly object[]): Step => ({
  method: 'POST',
  path: pods,
  body: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'projecting' },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', projected: { sources } }],
    },
  },
});
const ofPod = (fields: object): object => ({
  podCertificate: { signerName: 'example.com/signer', keyType: 'ED25519', credentialBundlePath: 'bundle', ...fields },
});

/** Requests for certificates of pods, and pods that mount them and the roots of trust beside them. */
export const podCertificates: readonly Step[] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces/default/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
  request('one'),
  request('two', { stubPKCS10Request: p256, unverifiedUserAnnotations: { 'example.com/a': 'b' } }),
  request('short-curve', { stubPKCS10Request: p224 }),
  request('short-modulus', { stubPKCS10Request: rsa2048 }),
  request('forged', { stubPKCS10Request: forged }),
  request('garbage', { stubPKCS10Request: 'AAAA' }),
  request('nothing', { stubPKCS10Request: '' }),
  request('bad', {
    signerName: 'signer',
    podName: 'A',
    podUID: '',
    serviceAccountName: '',
    nodeUID: 'x'.repeat(129),
    maxExpirationSeconds: 60,
    unverifiedUserAnnotations: { plain: 'b' },
  }),
  request('long', { maxExpirationSeconds: 91 * 24 * 3600 + 1 }),
  request('own', { signerName: 'kubernetes.io/kube-apiserver-client-pod', maxExpirationSeconds: 24 * 3600 + 1 }),
  { method: 'GET', path: requests, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  { method: 'GET', path: `${requests}?fieldSelector=spec.nodeName%3Dnode,spec.podName%3Dnone` },
  { method: 'GET', path: `${requests}?fieldSelector=spec.podUID%3Dx` },
  patch(`${requests}/one`, { metadata: { labels: { changed: 'yes' } } }),
  patch(`${requests}/one`, { spec: { podName: 'other' } }),
  status('one', { certificateChain: 'x' }),
  status('one', { conditions: [condition('Other')] }),
  status('one', { conditions: [condition('Denied', 'False')] }),
  status('one', { conditions: [condition('Denied'), condition('Failed')] }),
  status('one', { conditions: [condition('Denied')], certificateChain: 'x' }),
  status('one', { conditions: [condition('Issued')] }),
  status('one', { conditions: [condition('Issued')], certificateChain: issued.replaceAll('CERTIFICATE', 'OTHER') }),
  status('one', { conditions: [condition('Issued')], certificateChain: issued }),
  status('one', { conditions: [condition('Denied')] }),
  status('one', { conditions: [condition('Failed')] }),
  { method: 'GET', path: requests, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  status('two', { conditions: [condition('Issued')], certificateChain: issued }),
  status('two', {
    conditions: [condition('Issued')],
    certificateChain: issued,
    notBefore: '2026-01-01T00:00:00Z',
    notAfter,
    beginRefreshAt: notAfter,
  }),
  { method: 'DELETE', path: `${requests}/one` },
  projecting(ofPod({}), { clusterTrustBundle: { name: 'roots', path: 'roots' } }),
  projecting(ofPod({ keyType: 'RSA1024', maxExpirationSeconds: 60, credentialBundlePath: '../x' })),
  projecting(ofPod({ credentialBundlePath: '' }), ofPod({ signerName: 'signer', keyPath: 'bundle' })),
  projecting({ clusterTrustBundle: { signerName: 'signer', path: 'a' } }),
  projecting({ clusterTrustBundle: { name: 'A:b:C', path: 'a', labelSelector: {} } }),
];
